/** The tables of judgements. They name records without foreign keys, as reports do, because records come and go. */
import type { ServiceTable } from './service-tables.ts'
import type { TableColumn } from './table.ts'

const integer = (name: string): TableColumn => ({ name, type: 'integer' })
const key = (name: string): TableColumn => ({ name, type: 'key' })

export const FIT_TABLES: readonly ServiceTable[] = [
  /** Whether a text reads well with a topic, as an account judges it. */
  {
    name: 'judgement',
    columns: [
      { name: 'account', type: 'integer', references: { table: 'account' } },
      ...['text', 'topic', 'fits'].map(integer),
      { name: 'at', type: 'text' },
    ],
    key: ['account', 'text', 'topic'],
    indexes: [
      { name: 'judgement_at', on: 'account, at DESC, text, topic' },
      { name: 'judgement_text', on: 'text, topic' },
      { name: 'judgement_topic', on: 'topic, text' },
    ],
    copied: true,
  },
  /** Judgements of each pair, counted. `grouped` is the group of the topic; `misfit` is what results are ordered by. */
  {
    name: 'fit_cell',
    columns: [...['text', 'topic'].map(integer), key('grouped'), ...['yes', 'no', 'misfit'].map(integer)],
    key: ['text', 'topic'],
    indexes: [
      { name: 'fit_cell_text', on: 'text, misfit DESC, topic' },
      { name: 'fit_cell_topic', on: 'topic, misfit DESC, text' },
    ],
  },
  /** The same for each text, topic, group and account, and for all together, with how many pairs of people agree. */
  {
    name: 'fit_count',
    columns: [key('about'), key('value'), ...['yes', 'no', 'agreed', 'compared', 'cells', 'misfit'].map(integer)],
    key: ['about', 'value'],
    indexes: [
      { name: 'fit_count_misfit', on: 'about, misfit DESC, value' },
      { name: 'fit_count_cells', on: 'cells' },
    ],
  },
]
