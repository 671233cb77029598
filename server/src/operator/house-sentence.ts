/** One sentence first: whether all is well, or what is not and since when. Pure. */
import { isStuck } from '../finding/house-needs.ts';
import { minutes } from '../lib/clock.ts';
import { isSound } from '../watching/reconcile.ts';
import { durationWords } from './duration-words.ts';
import type { HouseFacts } from './house-facts.ts';

export type Tone = 'paid' | 'decide' | 'fail';

export type HouseSentence = {
  readonly tone: Tone;
  readonly text: string;
  /** What else is not well. */
  readonly others: readonly string[];
};

export type JudgedFacts = Pick<HouseFacts, 'now' | 'needs' | 'queue' | 'networks'> & {
  readonly books: Pick<HouseFacts['books'], 'reconciliations' | 'bridge' | 'unbalanced'>;
};

/** A worker looks several times a second: what is due for so long has none. */
const unworkedMs = minutes(2);

type Trouble = { readonly tone: Exclude<Tone, 'paid'>; readonly text: string };

/** `decide`: something is amiss, and nobody loses money by it yet. `fail`: all is not well. */
export function houseSentence(facts: JudgedFacts): HouseSentence {
  const troubles = [...badTroubles(facts), ...lesserTroubles(facts)];
  const [worst, ...others] = troubles;
  if (!worst) return { tone: 'paid', text: 'All is well.', others: [] };
  const text = worst.tone === 'fail' ? `${capital(worst.text)}.` : `All is well, but ${worst.text}.`;
  return { tone: worst.tone, text, others: others.map((each) => `${capital(each.text)}.`) };
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function badTroubles({ now, queue, networks, books }: JudgedFacts): Trouble[] {
  const nameOf = (id: string): string => networks.find((network) => network.id === id)?.name ?? id;
  const differing = books.reconciliations.filter((each) => !isSound(each));
  const places = [...new Set(differing.map(({ network }) => nameOf(network)))];
  const unproven = books.bridge.filter(({ problems }) => problems.length > 0);
  const waitedMs = queue.oldest === null ? 0 : now.getTime() - queue.oldest.getTime();
  const isDeaf = networks.length > 0 && networks.every(({ isUp }) => !isUp);
  const texts = [
    books.unbalanced.length > 0 && 'the ledger does not add up',
    places.length > 0 && `the books differ from what ${places.join(' and ')} ${places.length > 1 ? 'hold' : 'holds'}`,
    unproven.length > 0 &&
      `the tokens of ${unproven.map(({ asset }) => asset.split(':')[0]).join(', ')} are not proven to be backed`,
    isDeaf && 'no network answers',
    waitedMs >= unworkedMs && `jobs have been waiting for ${durationWords(waitedMs)}: a worker may be missing`,
  ];
  return texts.flatMap((text) => (text === false ? [] : [{ tone: 'fail' as const, text }]));
}

function lesserTroubles({ now, needs, networks }: JudgedFacts): Trouble[] {
  const silent = networks.filter(({ isUp }) => !isUp);
  const parked = needs.filter(({ kind }) => kind === 'jobParked').length;
  const stuck = needs.filter(({ payout }) => payout && isStuck(payout, now)).length;
  const mail = needs.find(({ kind }) => kind === 'mailFails');
  const texts = [
    ...(silent.length === networks.length ? [] : silent.map(({ name, status }) => silenceText(name, status, now))),
    parked > 0 && `${parked === 1 ? 'a job is' : `${parked} jobs are`} parked`,
    stuck > 0 && `${stuck === 1 ? 'a payout does' : `${stuck} payouts do`} not leave`,
    mail && 'mail cannot be sent',
  ];
  return texts.flatMap((text) => (text ? [{ tone: 'decide' as const, text }] : []));
}

export function silenceText(name: string, status: HouseFacts['networks'][number]['status'], now: Date): string {
  const since = status?.failingSince ?? status?.observedAt;
  return since
    ? `${name} has been silent for ${durationWords(now.getTime() - since.getTime())}`
    : `${name} has never answered`;
}
