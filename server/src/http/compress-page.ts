/**
 * Pages are sent compressed to browsers that can read that. Not the API: its clients are programs, and its answers are
 * small. A page never has a secret together with something that a stranger wrote, so its length tells nothing (BREACH).
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PageReply } from './route.ts';

const compress = promisify(gzip);
const worthwhileBytes = 1_000;
const texts = /^(text\/(html|css|javascript)|image\/svg)/;

export async function compressed(
  { body = '', headers = {} }: PageReply,
  acceptEncoding: string | string[] | undefined,
): Promise<{ body: NonNullable<PageReply['body']>; headers: Record<string, string> }> {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return { body, headers: {} };
  if (!texts.test(headers['content-type'] ?? '') || Buffer.byteLength(body) < worthwhileBytes)
    return { body, headers: {} };
  const vary = { vary: [headers['vary'], 'accept-encoding'].filter(Boolean).join(', ') };
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(acceptEncoding ?? ''))) return { body, headers: vary };
  return { body: await compress(body), headers: { ...vary, 'content-encoding': 'gzip' } };
}
