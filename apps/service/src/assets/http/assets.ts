import { parseId } from '../../kernel/ids.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import { type Answer, created, decorated } from '../../platform/http/answer.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { changedResource } from '../../platform/http/mutation-result.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { quoteEtag, type Storage } from '../../platform/storage/storage.ts';
import { completeAsset } from '../commands/complete-asset.ts';
import { createAsset } from '../commands/create-asset.ts';
import { recordUploadId } from '../commands/record-upload-id.ts';
import { uploadKey } from '../connectors/examine-file.ts';
import { presignUrls } from '../connectors/presigned-urls.ts';
import {
  type Asset,
  type AssetId,
  assetNotFound,
  isMultipart,
  type UploadedPart,
} from '../domain/asset.ts';
import { presentAsset } from '../domain/present-asset.ts';
import { refuseOtherParts, refuseUploadParts } from '../domain/upload-parts.ts';
import { findAsset, listAssets } from '../store/assets.ts';
import { assetExamples } from './asset-examples.ts';
import {
  AssetBody,
  AssetListQuery,
  AssetPage,
  AssetPath,
  CompleteAssetBody,
  CreateAssetBody,
} from './asset-schemas.ts';

const tag = 'Assets';

export type AssetDeps = MutationDeps & { readonly storage: Storage };

export function assetRoutes(server: Server, deps: AssetDeps): void {
  createRoute(server, deps);
  completeRoute(server, deps);
  readRoutes(server, deps);
}

const assetIdOf = (params: { readonly asset_id: string }): AssetId => {
  const id = parseId('ast', params.asset_id);
  if (id === undefined) throw assetNotFound();
  return id;
};

/** URLs are signed for each answer and never stored (contract §8). An upload URL needs the scope `assets:write`. */
async function presignForCaller(deps: AssetDeps, caller: Caller, asset: Asset) {
  const { storage, clock } = deps;
  const isWriter = caller.scopes.has('assets:write');
  const opened = isWriter ? await ensureMultipartUpload(deps, caller, asset) : asset;
  return presignUrls(storage, caller.orgId, opened, clock.now(), isWriter);
}

/** Adds newly signed URLs to an answer, also to a replayed one. */
async function withPresignedUrls(deps: AssetDeps, answer: Answer, caller: Caller): Promise<Answer> {
  if (answer.status >= 300) return answer;
  // The body is that of this route: bodyWithoutUrls.
  const stored = JSON.parse(answer.body) as { readonly id: AssetId };
  const asset = await findAssetOfCaller(deps, caller, stored.id);
  if (asset === undefined) return answer;
  const body = JSON.stringify({ ...stored, ...(await presignForCaller(deps, caller, asset)) });
  return { ...answer, body };
}

/** Opens the multipart upload when its URLs are first needed, outside any transaction. */
async function ensureMultipartUpload(
  deps: AssetDeps,
  { orgId, actor }: Caller,
  asset: Asset,
): Promise<Asset> {
  const needsNoUpload = asset.uploadId !== null || asset.status !== 'pending_upload';
  if (needsNoUpload || !isMultipart(asset)) return asset;
  const key = uploadKey(orgId, asset.id);
  const uploadId = await deps.storage.openMultipart(key, asset.contentType);
  const current = await deps.db.transact({ orgId, actor }, (tx) =>
    recordUploadId(tx, asset.id, uploadId),
  );
  if (current?.uploadId !== uploadId) await deps.storage.abandonMultipart(key, uploadId);
  return current ?? asset;
}

/** The body that is stored for an idempotency key; the ETag is computed without URLs too. */
const bodyWithoutUrls = (asset: Asset): string =>
  JSON.stringify({ ...presentAsset(asset), upload: null, download: null });

const findAssetOfCaller = (
  deps: AssetDeps,
  { orgId }: Caller,
  id: AssetId,
): Promise<Asset | undefined> => deps.db.readOnce(orgId, (tenant) => findAsset(tenant, orgId, id));

function createRoute(server: Server, deps: AssetDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createAsset',
      action: 'asset.create',
      effect: 'creates',
      tag,
      summary: 'Create an asset',
      description:
        'Creates an asset for one file and returns where to upload it. PUT the file to `upload.url` with exactly the headers of `upload.headers`, then complete the asset. A file above 100 MB is uploaded in parts. Open uploads and stored bytes have quotas: 429 `quota_exceeded`.',
      method: 'POST',
      path: '/v1/assets',
      scope: 'assets:write',
      body: CreateAssetBody,
      answers: { 201: AssetBody },
      examples: assetExamples.createAsset,
      problems: ['quota_exceeded'],
    },
    async (tx, { body, caller }) => {
      const declared = {
        type: body.type,
        fileName: body.file_name,
        contentType: body.content_type,
        sizeBytes: body.size_bytes,
        sha256: body.sha256 ?? null,
      };
      const asset = await createAsset(tx, declared, caller.quotas);
      const answer = created(presentAsset(asset), `/v1/assets/${asset.id}`);
      return {
        answer: { ...answer, body: bodyWithoutUrls(asset) },
        auditedId: asset.id,
        before: undefined,
      };
    },
    { finish: (answer, { caller }) => withPresignedUrls(deps, answer, caller) },
  );
}

function completeRoute(server: Server, deps: AssetDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'completeAsset',
      action: 'asset.complete',
      effect: 'changes',
      tag,
      summary: 'Complete an upload',
      description:
        'Starts the examination of the uploaded file: its size, checksum, real type, and every sample or pixel. It ends with the event `asset.ready` or `asset.failed`. If the file or a part of it is missing, the answer is 409 `invalid_state`, or 422 `invalid_field` with details that name each part that was not uploaded or has another size or ETag (`parts[2].etag`). The upload stays open: correct it and complete it again, with the same `Idempotency-Key` if you like. An audio file must have one stream of PCM (WAV), FLAC or ALAC, and apart from it only attached covers (JPEG or PNG); otherwise `failure_code` is `unsupported_codec`. It must last at most 12 hours, and its samples at 16 bits (seconds × sample rate × channels × 2 bytes) must take at most 256 MiB plus 20 times the size of the file; otherwise `failure_code` is `too_long`. Up to four files of an organization, three of them audio, are examined at once; the others wait in `processing`. If as many files wait as the quota allows, the answer is 429 `quota_exceeded`, and the uploaded file is kept.',
      method: 'POST',
      path: '/v1/assets/:asset_id/complete',
      scope: 'assets:write',
      params: AssetPath,
      body: CompleteAssetBody,
      answers: { 200: AssetBody },
      examples: assetExamples.completeAsset,
      problems: ['resource_not_found', 'missing_required_field', 'invalid_state', 'quota_exceeded'],
    },
    async (tx, { params, body, caller }) => {
      const id = assetIdOf(params);
      const completed = await completeAsset(tx, id, toUploadParts(body), caller.quotas);
      const result = changedResource(completed, presentAsset);
      return { ...result, answer: { ...result.answer, body: bodyWithoutUrls(completed.after) } };
    },
    {
      prepare: ({ params, body, caller }) =>
        refuseIncompleteUpload(deps, caller, assetIdOf(params), toUploadParts(body)),
      finish: (answer, { caller }) => withPresignedUrls(deps, answer, caller),
    },
  );
}

const toUploadParts = ({ parts }: CompleteAssetBody): readonly UploadedPart[] | undefined =>
  parts?.map(({ part_number, etag }) => ({ partNumber: part_number, etag: quoteEtag(etag) }));

/**
 * Refuses while the partner can still upload: an asset in processing without its file fails for good.
 *
 * Such a refusal is not stored for the idempotency key (contract §8 stores what is decided after execution began; this
 * is decided before, by what the storage has). Uploading the file does not change the request, so the partner repeats
 * it with the same key, and a stored refusal would then be replayed for a day. A completed asset is no longer pending:
 * its stored answer is replayed.
 */
async function refuseIncompleteUpload(
  deps: AssetDeps,
  caller: Caller,
  id: AssetId,
  uploadParts: readonly UploadedPart[] | undefined,
): Promise<void> {
  const asset = await findAssetOfCaller(deps, caller, id);
  if (asset?.status !== 'pending_upload') return;
  enforce(refuseUploadParts(asset, uploadParts));
  const key = uploadKey(caller.orgId, id);
  if (isMultipart(asset)) {
    const stored = await deps.storage.listParts(key, asset.uploadId ?? '');
    enforce(refuseOtherParts(asset, uploadParts ?? [], stored));
  } else if ((await deps.storage.find(key)) === undefined) {
    const message = 'Nothing was uploaded yet. PUT the file to upload.url, then complete again.';
    throw new Problem('invalid_state', message);
  }
}

function readRoutes(server: Server, deps: AssetDeps): void {
  const { db, keyring } = deps;
  read(
    server,
    db,
    {
      id: 'getAsset',
      tag,
      summary: 'Get an asset',
      description:
        'Returns the asset with presigned URLs to upload its file or to download it. The URLs work for one hour.',
      method: 'GET',
      path: '/v1/assets/:asset_id',
      scope: 'assets:read',
      params: AssetPath,
      answers: { 200: AssetBody },
      examples: assetExamples.getAsset,
      problems: ['resource_not_found'],
    },
    async (ask, { caller, params }) => {
      const id = assetIdOf(params);
      const asset = await ask((tenant) => findAsset(tenant, caller.orgId, id));
      if (asset === undefined) throw assetNotFound();
      return decorated(presentAsset(asset), await presignForCaller(deps, caller, asset));
    },
  );
  read(
    server,
    db,
    {
      id: 'listAssets',
      tag,
      summary: 'List assets',
      description: 'Returns a page of assets, newest first, without presigned URLs.',
      method: 'GET',
      path: '/v1/assets',
      scope: 'assets:read',
      query: AssetListQuery,
      answers: { 200: AssetPage },
      examples: assetExamples.listAssets,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'assets', query);
      const { type, status } = query;
      const page = await ask((tenant) =>
        listAssets(tenant, caller.orgId, { type, status }, list.page),
      );
      return list.answer(page, presentAsset);
    },
  );
}
