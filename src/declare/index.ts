/** The vocabulary of declarations. */
export type {
  Chart,
  NetworkChart,
  PairChart,
  SlotChart,
  SlotUse,
  TimeChart,
  ValueChart,
  WordChart,
} from './chart.ts'
export { countOf, derived, gathered } from './derived.ts'
export type {
  Cell,
  Column,
  Errors,
  Field,
  Filter,
  Find,
  Json,
  JsonObject,
  Lookup,
  MemberDescription,
  MemberSchema,
  Parsed,
  Row,
  Schema,
  SearchText,
  Storage,
} from './field.ts'
export { foldForOrder, idFilter } from './field.ts'
export type {
  AnswerLanguage,
  BestScore,
  Chance,
  DailyGame,
  Drawn,
  Game,
  Games,
  PlayLanguage,
  Question,
  ShownQuestion,
  WordSet,
} from './game.ts'
export type { Badge, Deeds, Honours, Level, PlayedGame } from './honours.ts'
export { integer } from './integer.ts'
export { isList, isObject, textOfJson } from './json.ts'
export { NAME_MEMBERS, nameMember } from './name-member.ts'
export { owner, ownerFilter, votes } from './people.ts'
export { many, one, type RecordOf, showRecord, text as jsonText, typeName } from './references.ts'
export {
  type AnyRecord,
  type AnyResource,
  type Fields,
  fieldsOf,
  type Given,
  group,
  keyStoredIn,
  type Lines,
  orderOf,
  ownerLookup,
  type Repair,
  type Resource,
  resource,
  type Service,
  service,
  unseenOwner,
  type Wire,
} from './resource.ts'
export { recordSlots, slots } from './slots.ts'
export { optionalText, type TextRules, text } from './text.ts'
export { DAY_MS, TIMES, timeFilter, timeIn } from './times.ts'
