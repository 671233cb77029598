/**
 * The sandbox's bank for the conformance suites, with a clock that stands still. It shares no reader and no writer with the
 * service: what is told was written by somebody else, and what is ordered is read by somebody else. It announces with notices
 * (camt.054), and statements (camt.053) credit.
 */
import { sepaNetwork } from '@quittance/server/networks/sepa/sepa';
import { swiftNetwork } from '@quittance/server/networks/swift/swift';
import type { ConformanceHarness } from '@quittance/server/test/networks/conformance';
import type { FilingHarness } from '@quittance/server/test/networks/filing-conformance';
import { createMemoryDocuments } from '@quittance/server/test/networks/memory-documents';
import { createBankDeeds, type Issued } from './bank-deeds.ts';
import { openBankLedger } from './bank-ledger.ts';
import { dollarAccount, euroAccount, firstCustomer, overseasCustomer, ownBic } from './bank-parties.ts';
import type { FileAnswer } from './payment-desk.ts';

export type BankHarness = ConformanceHarness & FilingHarness;

const dayMs = 86_400_000;
const home = { street: null, house: null, postcode: null, town: 'Frankfurt', country: 'DE' };
const noHolder = { street: null, postCode: null, town: null, country: null, bic: null };

/** `EUR`: an account that takes and sends by SEPA; `USD`: by SWIFT. */
export function startBankHarness(currency: 'EUR' | 'USD'): BankHarness {
  let today = Date.parse('2026-03-02T11:00:00Z');
  const now = (): Date => new Date(today);
  const { iban, owner } = currency === 'EUR' ? euroAccount : dollarAccount;
  const ledger = openBankLedger([euroAccount, dollarAccount]);
  const bank = createBankDeeds(ledger, now, { drop: () => undefined });
  const documents = createMemoryDocuments();
  const common = { iban, bic: ownBic, holder: owner, otherNames: [], creditsFrom: 'camt.053', address: home } as const;
  const written = { ...common, fileVersion: 'pain.001.001.09' } as const;

  const createConnector = () =>
    currency === 'EUR'
      ? sepaNetwork.connect({ ...written, isInstant: false }, now)
      : swiftNetwork.connect({ ...written, currency, charges: 'SHA' }, now);

  async function bring(issued: Issued | null): Promise<string[]> {
    const names: string[] = [];
    for (const { bytes } of issued?.files ?? [])
      for (const { records } of await documents.import(createConnector(), bytes))
        names.push(...records.map(({ told }) => String(told['tx'])));
    return names;
  }

  async function statement(): Promise<void> {
    await bring(bank.statement({ account: iban }));
    today += dayMs;
  }

  const lastSigned: FileAnswer[] = [];
  const messageOf = (bytes: Uint8Array): string => /<MsgId>([^<]+)</.exec(Buffer.from(bytes).toString())?.[1] ?? '';
  const { name, iban: payersIban, number = '', bic, address } = currency === 'EUR' ? firstCustomer : overseasCustomer;

  return {
    asset: currency,
    assetCode: currency,
    ordinaryUnits: 2_500n,
    smallestUnits: 1n,
    createConnector,
    documents: documents.context,
    async pay(...payments) {
      for (const { target, units } of payments)
        bank.pay({ account: iban, units, text: `Order ${target.memo}`, bearer: 'OUR', booked: 'today' });
      return (await bring(bank.tellNews(iban, 'camt.054'))).at(-1) ?? '';
    },
    async mine(count) {
      for (let days = 0; days < count; days += 1) await statement();
    },
    async stop() {},

    now,
    payee: {
      address: payersIban ?? number,
      memo: null,
      memoType: null,
      holder: { ...noHolder, ...address, name, bic: currency === 'EUR' ? null : bic },
    },
    nobody: [
      { address: 'DE89370400440532013001', holder: { ...noHolder, name } }, // Misspelt.
      { address: iban, holder: { ...noHolder, name } }, // Our own.
      { address: currency === 'EUR' ? 'US12345' : 'AAAA BBBB # 1', holder: { ...noHolder, name, bic } },
    ],
    async fund(units) {
      bank.moveOwn(units, { account: iban });
      await statement();
    },
    handOver(bytes, { isSigned = true } = {}) {
      const answer = bank.takeFile(bytes, { isSigned });
      lastSigned.push(answer);
      return answer.isTaken;
    },
    sign: (bytes) => bank.sign(messageOf(bytes)),
    reject: (order) => bank.reject(order, 'AC04'),
    giveBack: (order, { fee = 0n } = {}) => void bank.giveBack(order, { fee }),
    async answer(bytes) {
      const newest = lastSigned.findLast(({ messageId }) => messageId === messageOf(bytes));
      const report = newest?.isTaken === false ? newest.report : bank.report(messageOf(bytes));
      await documents.import(createConnector(), report);
    },
    balance: () => bank.balance(iban),
  };
}
