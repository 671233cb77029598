/** An item of the operator's *Needs you* in words: what it is, what is known about it, what can be done. */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { isPaidByFile } from '../finding/bank-needs.ts';
import type { HouseNeed, HouseNeedKind } from '../finding/house-needs.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { jobAbout, jobWords } from './job-words.ts';
import { memoText } from './memo-text.ts';
import type { OperatorLook } from './operator-look.ts';
import { houseAgo, linkTo, unitsOf } from './operator-parts.ts';
import { payoutReason } from './payout-words.ts';
import { parkedForms } from './retry-form.ts';

export type WordDeps = { readonly assets: AssetCatalog };

const bad: readonly HouseNeedKind[] = ['booksDiffer', 'unexplained', 'jobParked', 'mailFails', 'fileStuck'];
export const needTone = ({ kind }: HouseNeed): 'fail' | 'decide' => (bad.includes(kind) ? 'fail' : 'decide');

const nameOf = (network: string | undefined): string => findNetwork(network ?? '')?.name ?? network ?? '';

const paymentsText = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`;

/** `sum`: the amount that it is about, in words. */
const titles: Readonly<Record<HouseNeedKind, (need: HouseNeed, sum: string) => string>> = {
  booksDiffer: ({ network }, sum) => `${nameOf(network)} holds ${sum} other than the books say`,
  unexplained: ({ network }, sum) => `${sum} at ${nameOf(network)} that nobody can explain`,
  networkSilent: ({ network }) => `${nameOf(network)} is silent`,
  jobParked: ({ job }) => `${jobWords(job?.name ?? '')}: parked`,
  payoutWaits: (_, sum) => `${sum} do not leave`,
  fileRefused: ({ network, fileName = '' }) => `${fileName} was refused in the folder of ${nameOf(network)}`,
  fileStuck: ({ network, fileName = '' }) =>
    fileName === ''
      ? `The folder of ${nameOf(network)} cannot be looked into`
      : `${fileName} cannot be taken from the folder of ${nameOf(network)}`,
  fileWaits: ({ network, fileName = '' }) =>
    `${fileName} waits in the folder of ${nameOf(network)} for an earlier file`,
  noStatement: ({ network }) => `No statement of ${nameOf(network)} has come for days`,
  fileNotBooked: ({ network, fileId = '' }) => `Payment file ${fileId} is not booked at ${nameOf(network)}`,
  unfiled: ({ network }, sum) => `${sum} wait for a payment file of ${nameOf(network)}`,
  fileNotFetched: ({ fileId = '' }) => `Payment file ${fileId} was made, and nobody has downloaded it`,
  withdrawal: (_, sum) => `Withdrawal of ${sum} waits for a second signature`,
  ownWaits: (_, sum) => `Taking ${sum} as our own waits for a second signature`,
  returnWaits: (_, sum) => `Sending back ${sum} waits for a second signature`,
  unmatched: (_, sum) => `${sum} arrived that nobody asked for`,
  mailFails: ({ count = 0 }) => `${count === 1 ? 'A message' : `${count} messages`} cannot be sent`,
  signUp: ({ who = '' }) => `${who} asks for an account`,
  mailRefused: ({ count = 0 }) => (count === 1 ? 'A receipt was refused' : `${count} receipts were refused`),
};

export const needTitle = ({ assets }: WordDeps, need: HouseNeed): string =>
  titles[need.kind](need, need.amount ? unitsOf(assets, need.amount) : '');

const details: Readonly<Record<HouseNeedKind, (need: HouseNeed) => readonly string[]>> = {
  booksDiffer: ({ network }) => [
    'As of the last count',
    isPaidByFile(network ?? '') ? 'Compare its last documents, under Bank, with what the bank’s portal shows' : '',
  ],
  unexplained: ({ reason = '' }) => [reason, 'Say what it was'],
  networkSilent: ({ reason }) => [reason ?? 'Its node does not answer'],
  jobParked: ({ job, reason = '' }) => [job ? jobAbout(job.about) : '', reason, `${job?.attempts ?? 0} tries`],
  payoutWaits: ({ network, payout }) => [nameOf(network), payout ? payoutReason(payout) : ''],
  fileRefused: ({ reason = '' }) => [
    reason,
    'Nothing of it was taken. Get it from the bank again, or put it aside under Bank',
  ],
  fileStuck: ({ reason = '' }) => [reason],
  fileWaits: ({ reason = '' }) => [reason],
  noStatement: () => ['Customers were asked to pay since the last one: bring the next, or they are not credited'],
  fileNotBooked: ({ count = 0 }) => [
    paymentsText(count),
    'Was it signed in the bank’s portal? Bring the next statement, or give the file up',
  ],
  unfiled: ({ count = 0 }) => [paymentsText(count), 'Make a file of them'],
  fileNotFetched: ({ network, count = 0 }) => [nameOf(network), paymentsText(count)],
  withdrawal: ({ network, reason = '' }) => [nameOf(network), reason],
  returnWaits: ({ network, reason = '' }) => [nameOf(network), reason],
  ownWaits: ({ network, reason = '' }) => [nameOf(network), reason],
  unmatched: ({ network, memo, sender, reason = '' }) => [
    `${nameOf(network)}, ${memoText({ network: network ?? '', memo: memo || null })}`,
    sender ? `from ${sender}` : '',
    reason,
    'Say for whom it is or that it is our own, or send it back',
  ],
  mailFails: ({ reason = '' }) => [reason],
  signUp: () => ['Waits for your yes'],
  mailRefused: () => ['In the last seven days; payers may have mistyped their address'],
};

/** Where the whole of it is. */
const places: Readonly<Record<HouseNeedKind, string>> = {
  booksDiffer: '/operator/money',
  unexplained: '/operator/suspense',
  networkSilent: '/operator/networks',
  jobParked: '/operator/jobs',
  payoutWaits: '/operator/sending',
  fileRefused: '/operator/bank',
  fileStuck: '/operator/bank',
  fileWaits: '/operator/bank',
  noStatement: '/operator/bank',
  fileNotBooked: '/operator/bank',
  unfiled: '/operator/bank',
  fileNotFetched: '/operator/bank',
  withdrawal: '/operator/money',
  returnWaits: '/operator/suspense',
  ownWaits: '/operator/suspense',
  unmatched: '/operator/suspense',
  mailFails: '/operator/jobs',
  signUp: '/operator/merchants',
  mailRefused: '/operator/jobs',
};

export function needItem(deps: WordDeps, look: OperatorLook, need: HouseNeed): Html {
  const tone = needTone(need);
  const facts = [...details[need.kind](need).filter((fact) => fact !== ''), houseAgo(look, need.since)];
  const line = facts.map((fact, at) => html`${at > 0 && ' · '}${fact}`);
  return html`<li class="${tone}" id="${need.name.replaceAll(/[^\w-]/g, '-')}">${icon(tone)}<div><b>${linkTo(look, places[need.kind], needTitle(deps, need))}</b><p>${line}</p></div>${need.job && look.staffMay('runJobs') && parkedForms(look, need.job)}</li>`;
}
