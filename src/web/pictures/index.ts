/** Pictures of records: SVG, made on the server from API records. */
export { alone, type Drawing, inPage, isBlank, type LinkOf, near, ornament, plainSvg } from './drawing.ts'
export { columnsOf, drawPolyset, drawQuadraset, drawVectornym } from './grids.ts'
export { widthOf } from './measure.ts'
export { drawPolymap, type Relation, relationInWords, relationsOf } from './polymap-picture.ts'
export { drawPolynym, drawSmallPolynym } from './polynym-picture.ts'
export { drawCaptioned, drawQuadranym, drawSmallQuadranym, type FourTerms, POLES } from './quadranym-picture.ts'
export { polynymOf } from './shape.ts'
