/** How payment files are written, from what the operator sets to the file that a person signs at the bank. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { type Environment, readConfig } from '../../src/config.ts';
import { newIssuerKeypair } from '../../src/lib/strkey.ts';
import { isFiling } from '../../src/networks/port/orders.ts';
import type { SignedTransaction } from '../../src/networks/port/sending.ts';
import { createConnectors } from '../../src/networks/registry.ts';
import { paymentFileProblems, readBackPaymentFile } from '../payment-file-reader.ts';
import { ourIban } from './statement-bank.ts';

const installation: Environment = {
  DATABASE_URL: 'postgres://user@db/quittance',
  MASTER_KEY: '5a'.repeat(32),
  ISSUER_ACCOUNT: newIssuerKeypair().accountId,
  BITCOIN_RPC_URL: 'http://127.0.0.1:8332',
  BITCOIN_XPUB: HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/84'/0'/0'").publicExtendedKey,
};
const accountOf = (network: 'SEPA' | 'SWIFT'): Environment => ({
  ...{ [`${network}_IBAN`]: ourIban, [`${network}_ACCOUNT_NAME`]: 'Shop AG', [`${network}_BIC`]: 'HELADEF1822' },
});

type Written = { readonly fileName: string; readonly text: string; readonly orders: readonly SignedTransaction[] };

/** What an installation with these settings asks its bank to pay. */
function fileWith(network: 'SEPA' | 'SWIFT', settings: Environment, now = new Date('2026-03-02T12:00:00Z')): Written {
  const { networks } = readConfig({ ...installation, ...accountOf(network), ...settings });
  const connector = createConnectors(networks, () => now).get(network);
  assert.ok(connector?.sender && isFiling(connector.sender), `${network} is configured`);
  const { fileName, bytes, orders } = connector.sender.files.write({
    id: 'file00000001',
    createdAt: now,
    payouts: [
      {
        id: 'k3x9ab72mq0z',
        assetCode: network === 'SEPA' ? 'EUR' : 'USD',
        units: 2_500n,
        address: 'DE89370400440532013000',
        memo: null,
        memoType: null,
        holder: { name: 'Lea Wirt', street: null, postCode: null, town: null, country: null, bic: 'COBADEFFXXX' },
      },
    ],
  });
  const text = Buffer.from(bytes).toString();
  assert.deepEqual(
    paymentFileProblems(text),
    [],
    'elements and their order are those of the version that it says it is',
  );
  return { fileName, text, orders };
}

/** Which version a file says it is, and by which name it calls BICs. */
const versionOf = ({ fileName, text }: Written): readonly unknown[] => [
  fileName.replace(/-PAY-.*/, ''),
  /xmlns="urn:iso:std:iso:20022:tech:xsd:([^"]+)"/.exec(text)?.[1],
  [...text.matchAll(/<(BIC\w*)>(\w+)</g)].map(([, name, bic]) => `${name} ${bic}`),
  /<ReqdExctnDt>(.*)<\/ReqdExctnDt>/.exec(text)?.[1],
];

test('a payment file is of the version that the operator sets, and of the one of today where nothing is set', () => {
  const ofToday = [
    'pain-001-001-09',
    'pain.001.001.09',
    ['BICFI HELADEF1822', 'BICFI COBADEFFXXX'],
    '<Dt>2026-03-02</Dt>',
  ];
  const ofOlderBanks = ['pain-001-001-03', 'pain.001.001.03', ['BIC HELADEF1822', 'BIC COBADEFFXXX'], '2026-03-02'];
  for (const network of ['SEPA', 'SWIFT'] as const) {
    const setTo = (version: string): readonly unknown[] =>
      versionOf(fileWith(network, { [`${network}_FILE_VERSION`]: version }));
    assert.deepEqual(versionOf(fileWith(network, {})), ofToday, network);
    assert.deepEqual(setTo('pain.001.001.09'), ofToday, network);
    assert.deepEqual(setTo('pain.001.001.03'), ofOlderBanks, network);
  }
});

test('who pays the banks on the way is what the operator sets, and in SEPA everybody pays their own', () => {
  const bearer = (network: 'SEPA' | 'SWIFT', settings: Environment): string =>
    readBackPaymentFile(fileWith(network, settings).text).batches[0]?.charges ?? '';
  const bearers = [{ SWIFT_CHARGES: 'OUR' }, { SWIFT_CHARGES: 'SHA' }, { SWIFT_CHARGES: 'BEN' }, {}];
  assert.deepEqual(
    bearers.map((settings) => bearer('SWIFT', settings)),
    ['DEBT', 'SHAR', 'CRED', 'SHAR'],
  );
  assert.equal(bearer('SEPA', {}), 'SLEV');
});

test('payments are ordered as instant ones where the operator says so, and are done when they are booked', () => {
  const told = (settings: Environment): readonly unknown[] => {
    const { text, orders } = fileWith('SEPA', settings);
    const [batch] = readBackPaymentFile(text).batches;
    return [batch?.service, batch?.instrument, orders.map(({ until }) => until ?? 'booked')];
  };
  assert.deepEqual(told({ SEPA_INSTANT: 'on' }), ['SEPA', 'INST', ['booked']]);
  for (const settings of [{ SEPA_INSTANT: 'off' }, {}]) {
    assert.deepEqual(told(settings), ['SEPA', '', ['safe']]);
    assert.doesNotMatch(fileWith('SEPA', settings).text, /LclInstrm/);
  }
  const saturday = new Date('2026-03-07T12:00:00Z');
  const dayOf = (SEPA_INSTANT: string) => versionOf(fileWith('SEPA', { SEPA_INSTANT }, saturday)).at(-1);
  assert.deepEqual(['on', 'off'].map(dayOf), ['<Dt>2026-03-07</Dt>', '<Dt>2026-03-09</Dt>']);
  const marked = fileWith('SEPA', { SEPA_INSTANT: 'on' }).text;
  assert.match(marked, /<PmtTpInf><SvcLvl><Cd>SEPA<\/Cd><\/SvcLvl><LclInstrm><Cd>INST<\/Cd><\/LclInstrm><\/PmtTpInf>/);
});
