import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PaymentFile, writePaymentFile } from '@quittance/server/networks/families/bank/write-payment-file';
import { readPaymentFile } from './read-payment-file.ts';

const file: PaymentFile = {
  version: 'pain.001.001.09',
  scheme: { kind: 'sepa', isInstant: true },
  id: 'Q-1',
  createdAt: new Date('2026-11-18T10:20:30Z'),
  payer: { name: 'Quittance GmbH', iban: 'DE89370400440532013000', bic: null, address: null },
  executionDay: '2026-11-19',
  currency: { code: 'EUR', decimals: 2 },
  isBookedTogether: true,
  payments: [
    {
      id: 'abc123def456',
      units: 5_023n,
      holder: { name: 'Ada Example', address: null },
      account: { iban: 'DE40987654329876543210' },
      bic: null,
      intermediaryBic: null,
      remittance: { text: 'Payout & more' },
    },
    {
      id: 'uvw789xyz012',
      units: 1n,
      holder: { name: 'Acme BV', address: null },
      account: { iban: 'NL91ABNA0417164300' },
      bic: 'ABNANL2A',
      intermediaryBic: null,
      remittance: { reference: 'RF18539007547034' },
    },
  ],
};

const common = {
  currency: 'EUR',
  isSepa: true,
  isInstant: true,
  bearer: null, // SLEV: as the scheme has it.
  payeeAccount: null,
  payeeTown: null,
  payeeCountry: null,
};

const read = (xml: string) => readPaymentFile(Buffer.from(xml));

for (const version of ['pain.001.001.09', 'pain.001.001.03'] as const)
  test(`the bank of the sandbox reads a ${version} of ours`, () => {
    assert.deepEqual(read(writePaymentFile({ ...file, version })), {
      messageName: version,
      messageId: 'Q-1',
      count: '2',
      controlSum: 5_024n,
      groups: [
        {
          id: 'Q-1',
          method: 'TRF',
          isBatched: true,
          count: '2',
          controlSum: 5_024n,
          requestedDay: '2026-11-19',
          account: 'DE89370400440532013000',
          transactions: [
            {
              ...common,
              instructionId: 'abc123def456',
              endToEndId: 'abc123def456',
              units: 5_023n,
              payeeName: 'Ada Example',
              payeeIban: 'DE40987654329876543210',
              payeeBic: null,
              text: 'Payout + more',
              reference: null,
            },
            {
              ...common,
              instructionId: 'uvw789xyz012',
              endToEndId: 'uvw789xyz012',
              units: 1n,
              payeeName: 'Acme BV',
              payeeIban: 'NL91ABNA0417164300',
              payeeBic: 'ABNANL2A',
              text: '',
              reference: 'RF18539007547034',
            },
          ],
        },
      ],
    });
  });

test('names may have a prefix, and amounts zeros', () => {
  const prefixed = writePaymentFile({ ...file, version: 'pain.001.001.03' })
    .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1p:')
    .replace('xmlns=', 'xmlns:p=')
    .replace('>50.23<', '>0050.23000<');
  assert.equal(read(prefixed).groups[0]?.transactions[0]?.units, 5_023n);
});
