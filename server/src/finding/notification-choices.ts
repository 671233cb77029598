/** How somebody wants to be told of each kind of item: by e-mail at once, once a day, or not; and of news, which wait for nobody. */
import type { Db, Query } from '../db/database.ts';
import { type Actor, personActor } from '../http/actor.ts';
import type { Clock } from '../lib/clock.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { AccountPermission } from '../people/roles.ts';
import type { NeedKind } from './needs-you.ts';
import { listChoices, saveChoice } from './notification-store.ts';

export const notificationChoices = ['atOnce', 'daily', 'never'] as const;
export type NotificationChoice = (typeof notificationChoices)[number];

/** What others wait for, and what is lost if goods leave: at once. The rest can wait for the morning. */
const atOnce: readonly NeedKind[] = ['policyToApprove', 'transferToApprove', 'refundToApprove', 'takenBack'];

/** What is told once, when it is there, and whose business it is. A month is announced to who asked for that. */
export const newsKinds = {
  exportReady: { may: 'exportReports', usual: 'atOnce' },
  monthlyStatement: { may: 'seeReports', usual: 'never' },
} as const satisfies Record<string, { may: AccountPermission; usual: NotificationChoice }>;

export type NewsKind = keyof typeof newsKinds;
export type ToldKind = NeedKind | NewsKind;

export const newsChoices = ['atOnce', 'never'] as const satisfies NotificationChoice[];

export const newsKindsFor = (may: (permission: AccountPermission) => boolean): NewsKind[] =>
  (Object.keys(newsKinds) as NewsKind[]).filter((kind) => may(newsKinds[kind].may));

const isNews = (kind: ToldKind): kind is NewsKind => Object.hasOwn(newsKinds, kind);

export function usualChoice(kind: ToldKind): NotificationChoice {
  if (isNews(kind)) return newsKinds[kind].usual;
  // Of a new hand everybody is written to in the moment, which nobody switches off.
  if (kind === 'newHand') return 'never';
  return atOnce.includes(kind) ? 'atOnce' : 'daily';
}

/** `chosenAt`: null where nobody ever chose otherwise. */
export type Chosen = { readonly choice: NotificationChoice; readonly chosenAt: Date | null };
export type ChoiceOf = (personId: string, kind: ToldKind) => Chosen;

export async function readChoices(query: Query, merchantId: string): Promise<ChoiceOf> {
  const rows = await listChoices(query, merchantId);
  const chosen = new Map<string, Chosen>(rows.map((row) => [`${row.personId} ${row.kind}`, row]));
  return (personId, kind) => chosen.get(`${personId} ${kind}`) ?? { choice: usualChoice(kind), chosenAt: null };
}

export async function chooseNotifications(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { merchantId, personId }: { readonly merchantId: string; readonly personId: string },
  choices: ReadonlyMap<ToldKind, NotificationChoice>,
  actor: Actor = personActor(personId),
): Promise<void> {
  await db.begin(async (tx) => {
    const choiceOf = await readChoices(tx, merchantId);
    for (const [kind, choice] of choices) {
      const chosenAt = choiceOf(personId, kind).choice === choice ? null : clock.now();
      await saveChoice(tx, merchantId, { personId, kind, choice, chosenAt });
    }
    const detail = { person: personId, ...Object.fromEntries(choices) };
    await insertAudit(tx, { merchantId, at: clock.now(), actor, action: 'person.notifications_changed', detail });
  });
}
