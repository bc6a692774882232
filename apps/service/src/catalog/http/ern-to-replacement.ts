/** A partner's NewReleaseMessage as changes of a release and its tracks, checked by the rules of the API's own bodies. */

import type { NewReleaseMessage } from '@tonearm/ern';
import { enforce, Problem, type Violation } from '../../kernel/problem.ts';
import { isEan } from '../../kernel/product-code.ts';
import { compileBody, type Validate } from '../../platform/http/validation.ts';
import type { ReleaseReplacement } from '../commands/replace-release.ts';
import type { ErnBodies } from '../connectors/ern/to-bodies.ts';
import type { ErnRequest } from './ern-schemas.ts';
import { inMessage } from './ern-xpaths.ts';
import {
  CreateReleaseBody,
  type CreateReleaseRequest,
  PatchReleaseBody,
  type PatchReleaseRequest,
} from './release-schemas.ts';
import { toNewRelease, toReleaseEdit } from './release-wire.ts';
import {
  CreateTrackBody,
  type CreateTrackRequest,
  PatchTrackBody,
  type PatchTrackRequest,
} from './track-schemas.ts';
import { toNewTrack, toTrackPatch } from './track-wire.ts';

const checkRelease = compileBody(CreateReleaseBody);
const checkReleasePatch = compileBody(PatchReleaseBody);
const checkTrack = compileBody(CreateTrackBody);
const checkTrackPatch = compileBody(PatchTrackBody);

/** 12 digits are a UPC, also with a zero before them; other 13 digits are an EAN. */
export function codesOf(icpn: string): { readonly upc?: string; readonly ean?: string } {
  if (isEan(icpn) && !icpn.startsWith('0')) return { ean: icpn };
  return { upc: icpn.replace(/^0(?=\d{12}$)/, '') };
}

type Files = NonNullable<ErnRequest['files']>;

/** The id is checked only after the release is known. */
const releaseToCome = { release_id: 'rel_to_come' };

export function toReplacement(
  message: NewReleaseMessage,
  { release, tracks, coverUri }: ErnBodies,
  files: Files,
): ReleaseReplacement {
  refuseUnusedFiles(files, [coverUri, ...tracks.map(({ fileUri }) => fileUri)]);
  const violations: Violation[] = [];
  const checked = (check: Validate, body: object, prefix = ''): unknown => {
    const result = check(structuredClone(body));
    if ('value' in result) return result.value;
    if (!(result.error instanceof Problem)) throw result.error;
    const { details } = result.error;
    violations.push(...details.map((each) => ({ ...each, field: `${prefix}${each.field}` })));
    return body;
  };
  // Own fields only: the URIs are the partner's, and every object has a `constructor`.
  const assetFor = (uri: string | undefined): string | undefined =>
    uri !== undefined && Object.hasOwn(files, uri) ? files[uri] : undefined;
  const { ean, ...upc } = codesOf(message.release.ids.icpn ?? '');
  const codes = { ...upc, ...(ean !== undefined && { ean }) };
  const artwork = assetFor(coverUri);
  const create = checked(checkRelease, { ...release, ...codes });
  const patch = checked(checkReleasePatch, {
    ...release,
    ...(ean !== undefined && { ean }),
    ...(artwork !== undefined && { artwork_asset_id: artwork }),
  });
  const bodies = tracks.map(({ body, fileUri }, i) => {
    const audio = assetFor(fileUri);
    const own = { ...body, ...(audio !== undefined && { audio_asset_id: audio }) };
    const prefix = `tracks[${i}].`;
    return {
      create: checked(checkTrack, { ...own, ...releaseToCome }, prefix),
      patch: checked(checkTrackPatch, own, prefix),
    };
  });
  refuse(violations, message);
  // The parse boundary: the validators of the API's own routes have accepted the bodies.
  return {
    create: toNewRelease(create as CreateReleaseRequest),
    edit: toReleaseEdit(patch as PatchReleaseRequest),
    tracks: bodies.map((body, i) => ({
      create: toNewTrack(body.create as CreateTrackRequest, `tracks[${i}].`),
      patch: toTrackPatch(body.patch as PatchTrackRequest, `tracks[${i}].`),
    })),
  };
}

/** The bodies to create and to change have the same values, so each violation is there twice. */
function refuse(violations: readonly Violation[], message: NewReleaseMessage): void {
  const distinct = [...new Map(violations.map((each) => [each.field, each])).values()];
  const [first] = distinct;
  if (first === undefined) return;
  const details = distinct.map((each) => inMessage(each, message));
  throw new Problem(
    'invalid_field',
    'The message has values that cannot be taken over. Correct those that details list.',
    { details },
  );
}

function refuseUnusedFiles(files: Files, uris: readonly (string | undefined)[]): void {
  const unused = Object.keys(files).filter((uri) => !uris.includes(uri));
  if (unused.length === 0) return;
  const issue = 'is not the URI of a file of the message';
  enforce({
    code: 'invalid_field',
    message: 'files has URIs that the message does not have. Correct those that details list.',
    details: unused.map((uri) => ({ field: `files.${uri}`, issue })),
  });
}
