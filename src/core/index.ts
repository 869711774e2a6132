// `semel/core`: documents with positions, canonical JSON, fingerprints and names. Pure.
export { canonicalJson } from './canonical-json.ts'
export { Fault, FAULTS, type FaultCode, type FaultDetails, type Retry } from './faults.ts'
export type { Finding, Severity } from './findings.ts'
export {
  configDigest,
  fingerprint,
  isFullyKnown,
  type ConfigDigests,
  type Fingerprint,
  type FingerprintOptions,
  type PolicyId,
} from './fingerprint.ts'
export { fieldPath, jsonPointer, type Json, type JsonObject, type Path } from './json.ts'
export { manifestsOf, placeOf, type Manifest } from './manifest.ts'
export {
  contentName,
  hashSuffixOf,
  nameBudget,
  nameProblem,
  repairName,
  type ContentName,
  type ContentNameInput,
  type HashSuffix,
  type NamedKind,
  type NameProblem,
} from './names.ts'
export {
  lineText,
  outermost,
  positionOf,
  textOf,
  type Place,
  type Position,
  type Source,
  type Span,
} from './source.ts'
export type {
  AmbiguousScalar,
  DuplicateKey,
  FileReading,
  FullParser,
  Location,
  ReadError,
  Reading,
  TreeEntry,
  TreeNode,
  TreeScalar,
  YamlDocument,
} from './yaml/document.ts'
export {
  FileReader,
  READ_LIMITS,
  readFile,
  type Needle,
  type ReadLimits,
  type ReadOptions,
  type Wanted,
} from './yaml/read-file.ts'
