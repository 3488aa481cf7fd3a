/** HTTP: a catalogue as a web site. */
import type { Service } from '../declare/index.ts'
import {
  AccountDesk,
  Broadcast,
  CareDesk,
  DailyDesk,
  type Engine,
  HidingDesk,
  HookDesk,
  HookWorker,
  Mailer,
  RecordCache,
  RecoveryDesk,
  RoundDesk,
  StaffDesk,
} from '../engine/index.ts'
import { ResourcesRead } from '../store/index.ts'
import { networkOf } from './exchange/address.ts'
import type { Answer, FormView, Request } from './exchange/message.ts'
import type { Message } from './exchange/message-cookie.ts'
import { LIMITS } from './exchange/wire-limits.ts'
import type { SiteMetrics } from './metrics/measured-parts.ts'
import { RouteNames } from './metrics/route-names.ts'
import { type DocsView, documentRoutes } from './openapi/index.ts'
import { GUESTS, HOOK_TESTS, PLAYS, REPORTS } from './request/fixed-limits.ts'
import { identify, NOBODY } from './request/identify.ts'
import { demand, MachineCounts } from './request/machine-counts.ts'
import { SignInLimits } from './request/signin-limits.ts'
import { type Limit, Throttle } from './request/throttle.ts'
import { WriteLimits } from './request/write-limits.ts'
import type { ErrorView, PageView, Site } from './response/answer.ts'
import { AnswerCache } from './response/answer-cache.ts'
import { checked, DependencyCheck } from './response/cache-check.ts'
import { lookingUp } from './response/looking-up.ts'
import type { Following } from './response/send-on.ts'
import { SharedCaching } from './response/shared-cache.ts'
import { accountRoutes } from './routes/account-pages.ts'
import { type Assets, assetRoutes } from './routes/asset-routes.ts'
import { batchRoute } from './routes/batch.ts'
import { careRoutes } from './routes/care-routes.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { changeRoutes } from './routes/changes.ts'
import { exploringRoutes } from './routes/explore/routes.ts'
import { fitRoutes } from './routes/fit-routes.ts'
import { copyRoutes } from './routes/follower-records.ts'
import { healthRoutes, isHealthCheck, type Readiness } from './routes/health.ts'
import { hiddenRoutes } from './routes/hidden-routes.ts'
import { hookRoutes } from './routes/hook-routes.ts'
import { LikeWishes } from './routes/like-wish.ts'
import { AccountMail } from './routes/mail-routes.ts'
import { type PageRoute, visitingRoutes } from './routes/page-routes.ts'
import { peopleRoutes } from './routes/people-routes.ts'
import { playRoutes } from './routes/play-routes.ts'
import { recentRoutes } from './routes/recent-changes.ts'
import { historyRoutes } from './routes/record-history.ts'
import { serviceRoutes } from './routes/services.ts'
import { type StaffAct, staffRoutes } from './routes/staff-routes.ts'
import { undoRoutes } from './routes/undoing.ts'
import { type Respond, responder } from './routing/respond.ts'
import type { Route } from './routing/router.ts'
import { answeredBy } from './server/answered-by.ts'
import type { CachedAnswers } from './server/cached-reads.ts'
import { hasCredentials } from './server/carries.ts'
import type { AccessLog, RunningServer } from './server/parts.ts'
import { healthOf, type ServerRole, startAs } from './server/role.ts'
import { RunningMarks } from './server/running-marks.ts'
import type { SiteSettings } from './site-settings.ts'
import { Figures } from './staff/figures.ts'
import { type ProcessFigures, processFigures, type StaffSources, type StatusParts, UNKNOWN } from './staff/status.ts'
import { beginDelivery, RequestSpans } from './tracing/request-spans.ts'
import type { Tracing } from './tracing/tracing.ts'

export interface SiteParts {
  readonly engine: Engine
  /** Undefined if this process is the whole server. */
  readonly role?: ServerRole | undefined
  /** Set if this server is a copy of another one. */
  readonly following?: Following | undefined
  /** Fulfilled when the database takes writes, if it does not yet: until then nothing is written in the background. */
  readonly writable?: Promise<void> | undefined
  /** Questions about free text. */
  readonly services?: readonly Service[]
  readonly pages: {
    renderPage(view: PageView): string
    renderForm(view: FormView, user: string | undefined): string
    /** The OpenAPI document as a page. */
    renderDocs(view: DocsView): string
    renderError(view: ErrorView): string
    withMessage(page: string, message: Message): string
    /** The explorer. */
    readonly visits: readonly PageRoute[]
    readonly assets: Assets
  }
  /** Undefined if nobody wants any. */
  readonly metrics?: SiteMetrics | undefined
  readonly tracing?: Tracing | undefined
  /** What the program tells staff about itself. */
  readonly staff?: StaffSources | undefined
  readonly log: AccessLog & {
    bug(error: unknown, request: Request): void
    /** The database could not be used for a request. */
    outage(error: Error, request: Request): void
    /** A bug in what the server does by itself. */
    background?(error: unknown): void
    /** What staff did. */
    staff?(act: StaffAct): void
  }
}

export interface RunningSite extends RunningServer {
  /** What this process knows of the last hour. */
  figures(): ProcessFigures
}

export function serve(
  { engine: given, role, following, writable, services = [], pages, metrics, tracing, staff, log: told }: SiteParts,
  settings: SiteSettings,
): Promise<RunningSite> {
  const { limits, pageSize, signUpOpen, compress, cache, databaseSeconds } = settings
  const hooks = settings.hooks && { ...settings.hooks, ...(tracing && { beginTrace: beginDelivery(tracing) }) }
  const routes = new RouteNames(() => site.routes)
  const spans = tracing && new RequestSpans(tracing, routes)
  const figures = new Figures(given.now)
  // A worker counts what it passes on to the writer.
  const counted = role?.as === 'writer' ? undefined : figures
  const log = { ...told, ...answeredBy(told.answered, metrics, spans, counted) }
  const running = new RunningMarks()
  const store = running.watch(given.store)
  const { now, monotonic, querySeconds } = given
  const plain: Engine = { ...given, store }
  const engine = cache.records > 0 ? { ...plain, cache: new RecordCache(store.generations, cache.records) } : plain
  const readiness: Readiness = { isStopping: false }
  const caches = cache.answers + cache.records > 0
  const answers = caches ? new AnswerCache(store, { bytes: cache.answers, compress, now }) : undefined
  const desk = new AccountDesk(engine)
  const { beatMs, stallMs } = LIMITS
  const reportBug = (error: unknown) => log.unsendable(error, '-')
  const broadcast = new Broadcast(engine, { beatMs, stallMs, reportBug })
  const throttle = (limit: Limit | undefined) => new Throttle(limit, monotonic)
  const signIns = new SignInLimits(limits, monotonic)
  const signUps = throttle(limits.signUps)
  const writes = new WriteLimits(limits, monotonic, now)
  const counts = role?.counts ?? new MachineCounts({ reads: limits.reads, streams: settings.streams }, monotonic)
  const tests = throttle(HOOK_TESTS)
  const reports = throttle(REPORTS)
  const plays = throttle(PLAYS)
  const guests = throttle(GUESTS)
  const rounds = engine.games && new RoundDesk(engine, engine.games)
  const daily = engine.games && new DailyDesk(engine, engine.games)
  const recovery = new RecoveryDesk(engine, desk)
  const { baseUrl } = settings
  const mail =
    settings.mail && baseUrl
      ? new AccountMail({
          mailer: new Mailer(settings.mail),
          recovery,
          baseUrl,
          monotonic,
          failed: (error) => log.background?.(error),
        })
      : undefined
  let worker: HookWorker | undefined
  const startWorker = () => {
    if (!hooks || role?.as === 'worker' || readiness.isStopping) return
    worker = new HookWorker(given, hooks, (error) => log.background?.(error))
    worker.start()
  }
  const acted = (act: StaffAct) => told.staff?.(act)
  const status: StatusParts = {
    ...{ sources: staff ?? UNKNOWN, store, figures, answers, now },
    health: healthOf(engine, role),
    role: role?.as ?? 'server',
    readers: () => broadcast.readers,
    hooks: () => worker?.load,
  }
  const routesOn = (engine: Engine): Route[] => [
    ...catalogueRoutes({ engine, writes, pageSize }),
    ...exploringRoutes(engine, pageSize),
    ...changeRoutes(engine, { broadcast, counts }),
    ...recentRoutes(engine),
    ...copyRoutes(engine),
    ...historyRoutes({ engine, pageSize }),
    ...undoRoutes({ engine, writes }),
    batchRoute({ engine, writes }),
    ...hookRoutes({ desk: new HookDesk(engine, hooks), writes, tests, pageSize }),
    ...hiddenRoutes({ desk: new HidingDesk(engine), writes, pageSize, acted }),
    ...fitRoutes({ engine, writes, pageSize }),
    ...playRoutes({ desk: rounds, daily, plays, guests, pageSize }),
    ...peopleRoutes(engine, pageSize),
    ...careRoutes({ desk: new CareDesk(engine), writes, reports, pageSize, acted }),
    ...staffRoutes({ desk: new StaffDesk(engine), writes, pageSize, status, acted }),
    ...serviceRoutes(engine, services),
    ...accountRoutes({
      desk,
      signIns,
      signUps,
      signUpOpen,
      recovery,
      mail,
      rounds,
      likes: new LikeWishes(engine, writes),
    }),
    ...healthRoutes(healthOf(engine, role), readiness, following),
    ...assetRoutes(pages.assets),
  ]
  const siteOn = (engine: Engine, cache: Site['cache'], ask: () => Respond): Site => ({
    routes: [
      ...routesOn(engine),
      ...documentRoutes({ engine, pageSize, routesOn, renderDocs: pages.renderDocs }),
      ...visitingRoutes(pages.visits, ask, now),
    ],
    compress,
    following,
    cache,
    async identify(request, mayAssume) {
      if (limits.reads && !request.isInner && !request.isRepeated)
        demand(await counts.takeRead(networkOf(request.address)))
      // The accounts of the source have no credentials here, and reading needs none.
      return following ? NOBODY : await identify(request, { desk, signIns, mayAssume })
    },
    renderPage: pages.renderPage,
    renderForm: pages.renderForm,
    renderError: pages.renderError,
    withMessage: pages.withMessage,
    reportBug: log.bug,
    reportOutage: log.outage,
  })
  const site = siteOn(engine, answers, () => lookUpAndRespond)
  metrics?.watch({
    routes,
    store,
    answers,
    readers: () => broadcast.readers,
    hooks: () => worker?.load,
  })
  const respond: Respond = responder(site)
  const lookUpAndRespond = answers ? lookingUp(answers, respond) : respond
  const shared = settings.sharedCache && new SharedCaching(settings.sharedCache)
  const share = (answer: Answer) => shared?.share(answer) ?? answer
  const start = async (respond: Respond, cache?: CachedAnswers): Promise<RunningSite> => {
    const server = await startAs(
      role,
      {
        respond: async (request) => {
          const answer = await respond(request)
          return hasCredentials(request.headers) ? answer : share(answer)
        },
        log,
        cache,
        spans,
        patience: { databaseSeconds, querySeconds },
        isUrgent: isHealthCheck,
        watchRunning: (mark) => running.tell(mark),
      },
      settings,
      services,
    )
    if (writable) void writable.then(startWorker)
    else startWorker()
    const endWaits = () => {
      engine.watch.stop()
      broadcast.stop()
    }
    return {
      url: server.url,
      figures: () => processFigures(status),
      drain() {
        readiness.isStopping = true
        server.drain()
      },
      async retire() {
        endWaits()
        await server.retire()
      },
      async stop(options) {
        readiness.isStopping = true
        endWaits()
        await Promise.all([server.stop(options), worker?.stop()])
      },
    }
  }
  if (cache.check) {
    const read = new ResourcesRead(engine.catalogue)
    const check = new DependencyCheck(store, read, log.bug)
    const respondAfresh = responder(siteOn({ ...plain, store: read.watch(store) }, check, () => afresh))
    const afresh: Respond = (request) => read.during(() => respondAfresh(request))
    return start(checked(lookUpAndRespond, afresh, store, log.bug))
  }
  const mayRead = (address: string): boolean | Promise<boolean> => {
    const verdict = counts.takeRead(networkOf(address))
    return verdict instanceof Promise ? verdict.then((given) => given === 0) : verdict === 0
  }
  return start(
    respond,
    answers && {
      find: (asked, isArriving) => answers.find(asked, isArriving),
      mayRead: limits.reads ? mayRead : () => true,
      share,
    },
  )
}

export { ALWAYS, type Cache, CacheMemory, ownJoined } from '../cache/index.ts'
export { canCompare, Problem, problems, WordDiff } from '../engine/index.ts'
export { whilePaused } from '../store/index.ts'
export type { AnsweredRequest, AskedBefore, FormField, FormPart, FormView } from './exchange/message.ts'
export type { Message, MessagePlace } from './exchange/message-cookie.ts'
export type { MeasuredBackups, SiteMetrics } from './metrics/measured-parts.ts'
export { type MetricsOfProcess, metricsOfAll, openMetrics } from './metrics/open.ts'
export type { DocsView } from './openapi/index.ts'
export { type Counts, MachineCounts, type StreamChange, type Verdict } from './request/machine-counts.ts'
export type { Limit } from './request/throttle.ts'
export { traceIn } from './request/trace-context.ts'
export type { ErrorView, PageView } from './response/answer.ts'
export { isStreamFormat } from './response/negotiate.ts'
export type { Following } from './response/send-on.ts'
export { STATUS_CODES } from './response/status-codes.ts'
export type { ApiAnswer, PageAnswer, PageHandler, PageRoute, Timed, Visit, Visitor } from './routes/page-routes.ts'
export type { StaffAct } from './routes/staff-routes.ts'
export type { Offer } from './routing/form-actions.ts'
export { Distributor, type Receiver } from './server/distributor.ts'
export { HandedConnections } from './server/handed-connections.ts'
export { MetricsPort } from './server/metrics-port.ts'
export type { RunningServer } from './server/parts.ts'
export type { ServerRole } from './server/role.ts'
export { WriterLink } from './server/writer-link.ts'
export type { CacheSettings, SiteSettings } from './site-settings.ts'
export type { ShownMinute } from './staff/figures.ts'
export type { ProcessFigures, StaffJob, StaffSources, StaffStatus } from './staff/status.ts'
export { openTracing } from './tracing/open-tracing.ts'
export type { TracingSettings } from './tracing/tracing.ts'
