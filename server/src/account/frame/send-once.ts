/**
 * A form that is sent twice does a thing once: by a second press, by reloading, by a browser that restores its pages.
 * Each form has a name of its own, and what it did is kept under it by the transaction that does it. Sent again, it leads
 * to where it led. With other content it is refused: whoever went back and changed a number must not believe that it counts.
 */
import type { Db, Tx } from '../../db/database.ts';
import type { Begin, Remember } from '../../http/effect.ts';
import { formKeptMs, KeyTaken, keepPlaceAfterForm, placeAfterForm, type SentForm } from '../../http/idempotency.ts';
import type { PageReply } from '../../http/route.ts';
import { addMs } from '../../lib/clock.ts';
import type { Encryption } from '../../lib/encryption.ts';
import { GatewayError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Session } from '../../people/session.ts';
import { redirect, unreadable } from './account-request.ts';
import { inSession } from './in-session.ts';

/** By `begin`, or by `remember` in a transaction of its own. */
type Act<Result> = (effect: { readonly begin: Begin<Result>; readonly remember: Remember<Result> }) => Promise<Result>;

/** `show`: what is answered the first time instead, such as a secret that is shown once. */
export type SendOnce = <Result>(
  act: Act<Result>,
  goTo: (result: Result) => string,
  show?: (result: Result) => Promise<PageReply> | null,
) => Promise<PageReply>;

/** When it was shown is in it, because a form is refused when it may have been sent and forgotten. */
export const newFormName = (now: Date): string => `${now.getTime().toString(36)}-${newId()}`;

type OnceDeps = { readonly db: Db; readonly encryption: Encryption };

type Sent = {
  readonly request: { readonly path: string };
  readonly form: URLSearchParams;
  readonly now: Date;
  readonly signedIn: { readonly person: { readonly id: string }; readonly session: Pick<Session, 'id' | 'notFor'> };
  readonly merchant: { readonly id: string };
};

/** What proves who sends it differs each time. */
const proofs = new Set(['proof', 'code', 'current-password']);

function readSentForm({ request, form, now, signedIn, merchant }: Sent): SentForm {
  const name = form.get('form') ?? '';
  const [, shownAt = ''] = /^([0-9a-z]{1,9})-[0-9a-z]{12}$/.exec(name) ?? [];
  if (shownAt === '') throw unreadable();
  if (new Date(Number.parseInt(shownAt, 36)) <= addMs(now, -formKeptMs)) throw formTooOld();
  const filled = [...form].filter(([field]) => !proofs.has(field));
  return { merchantId: merchant.id, name, content: JSON.stringify([request.path, signedIn.person.id, filled]) };
}

/** Null: nothing has come of this form yet. */
export const placeOfForm = ({ db, encryption }: OnceDeps, sent: Sent): Promise<string | null> =>
  placeAfterForm({ db, encryption }, readSentForm(sent), sent.now);

export const sendOnce = ({ db, encryption }: OnceDeps, sent: Sent): SendOnce =>
  async function once<Result>(
    act: Act<Result>,
    goTo: (result: Result) => string,
    show: (result: Result) => Promise<PageReply> | null = () => null,
  ): Promise<PageReply> {
    const form = readSentForm(sent);
    const remember = (tx: Tx, result: Result): Promise<void> =>
      keepPlaceAfterForm(tx, encryption, form, goTo(result), sent.now);
    const begin = (work: (tx: Tx) => Promise<Result>): Promise<Result> =>
      inSession(
        db,
        sent.signedIn,
      )(async (tx) => {
        const done = await work(tx);
        await remember(tx, done);
        return done;
      });
    try {
      const result = await act({ begin, remember });
      return (await show(result)) ?? redirect(goTo(result));
    } catch (error) {
      if (!(error instanceof KeyTaken || error instanceof GatewayError)) throw error;
      // The same form may have come first: it has taken what this one no longer finds.
      const place = await placeAfterForm({ db, encryption }, form, sent.now);
      if (place !== null) return redirect(place);
      throw error;
    }
  };

const formTooOld = (): GatewayError =>
  new GatewayError({
    code: 'form_too_old',
    httpStatus: 409,
    message: 'This page is more than a day old. Open it again, and fill it in once more.',
  });
