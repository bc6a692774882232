/**
 * The parts that complete a multipart upload (contract §2): every part, once, in order, with the ETag of its PUT. What
 * is refused here leaves the upload open, so that the partner corrects it and completes again.
 */

import type { Refusal, Violation } from '../../kernel/problem.ts';
import { type Asset, isMultipart, type UploadedPart, uploadPartSizes } from './asset.ts';

type Upload = Pick<Asset, 'sizeBytes' | 'uploadId'>;

/** A part as the storage has it. */
type StoredPart = UploadedPart & { readonly sizeBytes: number };

/** Refuses a list that cannot be right, whatever was uploaded. Any other upload is completed without parts. */
export function refuseUploadParts(
  asset: Upload,
  uploadParts: readonly UploadedPart[] | undefined,
): Refusal | undefined {
  if (!isMultipart(asset)) {
    const issue = 'must be omitted, because the file is not uploaded in parts';
    return (uploadParts ?? []).length === 0 ? undefined : refuseParts([{ field: 'parts', issue }]);
  }
  if (asset.uploadId === null) {
    return {
      code: 'invalid_state',
      message:
        'No part was uploaded yet. GET the asset for presigned URLs, upload its parts, then complete it again.',
    };
  }
  const count = uploadPartSizes(asset).length;
  if (uploadParts !== undefined) return refuseParts(describeWrongList(uploadParts, count));
  const issue = `is required; list the ${count} parts of the upload`;
  return {
    code: 'missing_required_field',
    message: `parts ${issue}.`,
    details: [{ field: 'parts', issue }],
  };
}

function describeWrongList(uploadParts: readonly UploadedPart[], count: number): Violation[] {
  const listed = new Set<number>();
  const wrongNumbers = uploadParts.flatMap(({ partNumber }, i): Violation[] => {
    const field = `parts[${i}].part_number`;
    const isRepeated = listed.has(partNumber);
    const isOutOfOrder = partNumber < (uploadParts[i - 1]?.partNumber ?? 0);
    listed.add(partNumber);
    if (partNumber > count) return [{ field, issue: `must be from 1 to ${count}` }];
    if (isRepeated)
      return [{ field, issue: `is listed twice (part ${partNumber}); list each part once` }];
    return isOutOfOrder ? [{ field, issue: 'is out of order; list the parts by part_number' }] : [];
  });
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((n) => !listed.has(n));
  const issue = `must list all ${count} parts; add the missing ones: ${missing.join(', ')}`;
  return [...wrongNumbers, ...(missing.length === 0 ? [] : [{ field: 'parts', issue }])];
}

/**
 * Compares a list that `refuseUploadParts` accepts with what the storage has. `stored` is undefined if the storage does
 * not have the upload.
 */
export function refuseOtherParts(
  asset: Upload,
  uploadParts: readonly UploadedPart[],
  stored: readonly StoredPart[] | undefined,
): Refusal | undefined {
  if (stored === undefined) {
    return {
      code: 'invalid_state',
      message:
        'The storage no longer has this upload. Create a new asset and upload the file again.',
    };
  }
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const sizes = uploadPartSizes(asset);
  return refuseParts(
    uploadParts.flatMap((sent, i) =>
      describeOtherPart(sent, byNumber.get(sent.partNumber), sizes[i] ?? 0, `parts[${i}]`),
    ),
  );
}

function describeOtherPart(
  { partNumber, etag }: UploadedPart,
  stored: StoredPart | undefined,
  sizeBytes: number,
  at: string,
): Violation[] {
  const field = `${at}.part_number`;
  if (stored === undefined) {
    return [
      { field, issue: `names part ${partNumber}, which was not uploaded; PUT it to its URL` },
    ];
  }
  if (stored.sizeBytes !== sizeBytes) {
    const issue = `names part ${partNumber}, which has ${stored.sizeBytes} bytes and must have ${sizeBytes}; upload it again`;
    return [{ field, issue }];
  }
  if (stored.etag === etag) return [];
  const issue = `must be the ETag of the uploaded part, which is ${stored.etag}`;
  return [{ field: `${at}.etag`, issue }];
}

const refuseParts = (details: readonly Violation[]): Refusal | undefined =>
  details.length === 0
    ? undefined
    : {
        code: 'invalid_field',
        message:
          'The parts do not match the upload. Correct the fields in details, then complete the asset again.',
        details,
      };
