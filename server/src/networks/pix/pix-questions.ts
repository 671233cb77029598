/** One Pix, or one return of it, as the bank knows it. Null: the bank does not know it. */
import { type PixApi, PixRefusal, type PixReply } from './pix-api.ts';
import { type PixReturnOrder, pathOf } from './pix-return-order.ts';
import { malformed, type PixReturn, type ReceivedPix, readListed, readPix, readReturn } from './received-pix.ts';

/** `at`: the bank's time. */
export type FoundPix = { readonly pix: ReceivedPix; readonly at: Date };

export async function findPix(api: PixApi, endToEndId: string): Promise<FoundPix | null> {
  const reply = await orUnknown(api.get(`/pix/${endToEndId}`));
  if (!reply) return null;
  const listed = readListed(reply.body);
  if (listed.endToEndId !== endToEndId) throw malformed(`${listed.endToEndId} as ${endToEndId}`);
  return { pix: readPix(listed), at: reply.at };
}

export async function findReturn(api: PixApi, order: PixReturnOrder): Promise<PixReturn | null> {
  const reply = await orUnknown(api.get(pathOf(order)));
  return reply && readReturn(reply.body);
}

async function orUnknown(asked: Promise<PixReply>): Promise<PixReply | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PixRefusal && error.status === 404) return null;
    throw error;
  }
}
