/** What the explorer knows about a kind of record. Each kind has a file here; plain.ts answers for the kinds without one. */
import type { Level } from '../../declare/index.ts'
import type { PageAnswer, PageRoute, Visit } from '../../http/index.ts'
import type { Content } from '../html.ts'
import type { Drawing, LinkOf } from '../pictures/index.ts'
import type { Column } from './columns.ts'

/** A record as the API gives it. */
export type Shown = Readonly<Record<string, any>>

export interface Kind {
  /** Its name in the API and in addresses: "quadranym". */
  readonly name: string
  /** The title of one, and of several: "Quadranym", "Quadranyms". */
  readonly one: string
  readonly many: string
  /** What it is, in a sentence: for lists and the front page. */
  readonly does: string
  /** The part of the site it belongs to; see parts.ts. */
  readonly part: string
  /** Can people like it? */
  readonly liked: boolean
  /** The member that names the person who made it; not all kinds show it, but lists of all can be filtered by it. */
  readonly owner: string | undefined
  /** The kind whose records are made up of these: a storyline is shown on the page of its story. */
  readonly lineOf: { readonly kind: string; readonly member: string } | undefined
  /** Is it shown on the front page and in the hub of its part? */
  readonly isMain: boolean
  /** Can it be searched? */
  readonly isSearched: boolean
  /** Do searches of the whole site look through it? */
  readonly isFound: boolean
  /** May the link to a random page lead to it? */
  readonly isByChance: boolean
  /** Why there may be none, for kinds that people do not make. */
  readonly whyEmpty?: string
  /** Does it say where a record comes from (`src`)? */
  readonly hasSource: boolean
  /** Does it have terms, each of which has a page that says where it occurs? */
  readonly hasTerms: boolean
  /** Is it a set of terms, or of such sets, that can be compared with others? */
  readonly isCompared: boolean
  /** The charts that count the values of its members. */
  readonly charts: Readonly<Record<string, string>>
  /** The front page shows one of these each day: filters that are tried in turn. */
  readonly ofTheDay?: readonly string[]
  /** A filter for those that are shown as samples. */
  readonly sampled?: string
  /** A member whose values the front page offers, under this title. */
  readonly offered?: { readonly title: string; readonly member: string }
  /** It is about people: the title of its section on a person's page, the member that names the person, the link to all. */
  readonly ofPeople?: { readonly title: string; readonly by: string; readonly link: string }
  /** What the link to its list is called at the foot of every page. */
  readonly footer?: string

  /** Members to filter a list by, and their labels. */
  readonly facets: Readonly<Record<string, string>>
  /** What people read in place of the value of such a member. */
  readonly valueInWords?: (member: string, value: string) => string
  /** What its list shows as a table. */
  readonly columns: readonly Column[]
  readonly shape: 'cards' | 'rows' | 'chips'
  /** The order of a list in words, where it is not alphabetical. */
  readonly order: string

  /** The member that names a record. */
  readonly nameMember: string
  /** The title of one record, on one line. */
  nameOf(record: Shown): string
  /** The page that shows the record. */
  addressOf(record: Shown): string
  /** A few words about the record, next to its name. */
  gistOf(record: Shown): string
  /** The same with more detail, for the results of a search. */
  readonly detailOf?: (record: Shown) => string
  /** What tells the record apart from others of its name. */
  readonly senseOf?: (record: Shown) => string
  /** The words that the record puts next to one of its words, for the map of that word. */
  readonly companyOf?: (record: Shown, isIt: (word: string) => boolean) => readonly Companion[]
  /** The running text of a record that is a text. */
  readonly textOf?: (record: Shown) => Content
  /** What a card shows between the name and the maker, if not the gist. */
  readonly insideOf?: (record: Shown) => Content
  /** Records of a list, with what their cards show in addition to what the list tells. */
  readonly completed?: (visit: Visit, records: readonly Shown[]) => Promise<readonly Shown[]>
  /** What a row of a list shows above the maker. */
  readonly rowOf?: (record: Shown) => Content
  /** A whole list, for kinds shown as a table. */
  readonly table?: (records: readonly Shown[]) => Content
  /** What its list has that others have not. */
  readonly list?: KindList
  /** A drawing made from the record; it also has an address of its own. */
  readonly draw?: (record: any, linkOf?: LinkOf) => Drawing

  /** What the page of a record says below its head. `uses` is the section that says where it is used. */
  body(visit: ExplorerVisit, record: Shown, uses: Promise<Content>): Promise<Body> | Body
  /** Other pages that show a record, by what the link to them says. */
  readonly ways?: (id: number) => Readonly<Record<string, string>>
  /** Its own pages, instead of those that all records have. */
  readonly pages?: readonly ExplorerPage[]
  /** The members that name other records, and the kind of those. */
  readonly embeds: Readonly<Record<string, string>>
  /** The kinds that embed this one, and the filters that find those records. */
  readonly uses: readonly Use[]
  /** The text of the link to what uses it; without one, the page of a record shows the uses itself. */
  readonly usesLink?: string
  /** The form that makes and changes records; undefined for kinds that people do not make one by one. */
  readonly form: KindForm | undefined
}

/** A word next to another one. */
export interface Companion {
  readonly text: string
  /** n, e, r, o or s, for words of a quadranym. */
  readonly slot?: string
  /** How the two relate: "similar to" before it, or "part of it" after it. */
  readonly before?: string
  readonly after?: string
}

export interface KindList {
  /** Above the list. `fault` is what is wrong with a form that was sent from there. */
  above(visit: ExplorerVisit, fault?: string): Promise<Content>
  /** The records of a page, instead of cards. */
  arranged(visit: ExplorerVisit, records: readonly Shown[]): Promise<Content>
  POST(visit: ExplorerVisit): Promise<PageAnswer | { readonly fault: string }>
}

export interface KindForm {
  /** What is made: "Quadranym". */
  readonly title: string
  /** What the form makes, in a sentence. */
  readonly about: string
  /** Its heading on the page of all forms. */
  readonly shelf: string
  /** Can a new one begin as a copy of a record? */
  readonly canCopy: boolean
  /** Members that name other records. */
  readonly references: Readonly<Record<string, Reference>>
  /** The kinds that each of its lines names. */
  readonly lineKinds: readonly string[]
  /** What people read in place of a member's name, and what helps them. */
  readonly words: Readonly<Record<string, FormWords>>
  /** The same for numbered members, by their letter: p for p1 to p12. */
  readonly slots: Readonly<Record<string, FormWords & { readonly each: string }>>
  /** Members of the API that are one field here. They are sent as `into`; the others are sent empty. */
  readonly merged?: { readonly name: string; readonly from: readonly string[]; readonly into: string }
  /** Members r1, r2 ... relate the words of `pa` to those of `pb`. */
  readonly relations?: true
  /** Its text has open topics, which people mark by pressing words. */
  readonly openTopics?: 'one' | 'many'
  /** More about it, after what it is. */
  readonly hint?: () => Content
  /** The picture of what is being made, as far as it can be drawn. */
  readonly picture?: (values: Readonly<Record<string, string>>) => Content
}

export interface FormWords {
  readonly label: string
  readonly help?: string
}

/** A member that names other records. */
export interface Reference {
  readonly kind: string
  readonly many?: true
}

export interface Use {
  readonly kind: string
  readonly by: readonly string[]
}

export interface Body {
  /** Under the head, next to the picture. */
  readonly beside?: Content
  /** False if the page shows as HTML what the picture would. */
  readonly figure?: false
  readonly below?: Content
  /** The text as it is shown here, and its topics and view as parameters of the address. */
  readonly told?: { readonly shown: string; readonly asked: string }
  readonly scripts?: readonly string[]
}

/** What a kind's file says: its name, and everything in which it differs from plain.ts. */
export type KindFile = Partial<Omit<Kind, 'name' | 'form'>> & Pick<Kind, 'name'> & { readonly form?: Partial<KindForm> }

/** A kind that people make with a form. */
export type MadeKind = Kind & { readonly form: KindForm }

/** The kinds of the catalogue that is served, in the order of the site. */
export interface Kinds {
  readonly all: readonly Kind[]
  find(name: string): Kind | undefined
  /** Throws if the catalogue has no such kind. */
  get(name: string): Kind
  /** The navigation. */
  readonly parts: readonly Part[]
  /** Are there quadranyms, and sayings to mark with them? */
  readonly canAnnotate: boolean
  /** The levels of people, if there are any. */
  readonly levels: readonly Level[]
}

/** A part of the site. */
export interface Part {
  readonly name: string
  readonly href: string
  readonly title: string
}

/** A visit to the explorer, which knows the kinds of its catalogue. */
export interface ExplorerVisit extends Visit {
  readonly kinds: Kinds
}

export interface ExplorerPage extends Omit<PageRoute, 'GET' | 'POST' | 'showAgain'> {
  GET(visit: ExplorerVisit): Promise<PageAnswer> | PageAnswer
  POST?(visit: ExplorerVisit): Promise<PageAnswer> | PageAnswer
  showAgain?(visit: ExplorerVisit): Promise<PageAnswer> | PageAnswer
}
