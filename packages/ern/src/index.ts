export * from './batch.ts';
export * from './model.ts';
export { buildManifest } from './write/build-manifest.ts';
export { buildNewRelease } from './write/build-new-release.ts';
export { buildPurge } from './write/build-purge.ts';
export type { BuiltMessage } from './write/built-message.ts';
export { type Conveyance, dropReasons, type DropReason } from './write/conveyance.ts';
export { type ErnVersion, ernVersionDefault, ernVersions } from './write/dialects.ts';
export { takeDown, type TakedownMethod, takedownMethods } from './write/take-down.ts';
export { UnsendableValue } from './write/unsendable-value.ts';
export { checkMessage } from './read/checks/check-message.ts';
export { type FileStatus, fileStatuses, type Finding } from './read/finding.ts';
export {
  type AcknowledgedMessage,
  type Acknowledgement,
  parseAcknowledgement,
  type ProposedAction,
  proposedActions,
  type ReleaseAcknowledgement,
  type ReleaseStatus,
  releaseStatuses,
  type Reported,
} from './read/parse-acknowledgement.ts';
export { type ParsedManifest, parseManifest } from './read/parse-manifest.ts';
export { type ParsedMessage, parseMessage } from './read/parse-message.ts';
export { type ReadMessage, readMessage, type ReadOptions } from './read/read-message.ts';
export { defaultXmlLimits, readXml, type XmlLimits } from './read/read-xml.ts';
export {
  createValidator,
  type SchemaError,
  SchemaUnavailable,
  type ValidatedXml,
  type Validator,
} from './read/validator.ts';
export { type XmlRefusal, XmlRefused } from './read/xml-refused.ts';
export { type XmlElement, type XmlRoot } from './read/xml-tree.ts';
export { type ReadAcknowledgement, readAcknowledgement } from './read/read-acknowledgement.ts';
export { type BoundedValidator, createBoundedValidator } from './read/bounded-validator.ts';
