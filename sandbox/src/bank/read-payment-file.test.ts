import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PaymentFile, writePaymentFile } from '@quittance/server/networks/families/bank/write-payment-file';
import sepa from 'sepa';
import { PaymentFileRefused, readPaymentFile } from './read-payment-file.ts';

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

const common = { currency: 'EUR', isSepa: true, isInstant: true, charges: 'SLEV', intermediaryBic: null };

for (const version of ['pain.001.001.09', 'pain.001.001.03'] as const)
  test(`the bank of the sandbox reads a ${version} of ours`, () => {
    assert.deepEqual(readPaymentFile(writePaymentFile({ ...file, version })), {
      version,
      id: 'Q-1',
      initiator: 'Quittance GmbH',
      batches: [
        {
          id: 'Q-1',
          isBookedTogether: true,
          executionDay: '2026-11-19',
          payer: { name: 'Quittance GmbH', account: 'DE89370400440532013000', bic: null },
          orders: [
            {
              ...common,
              instructionId: 'abc123def456',
              endToEndId: 'abc123def456',
              units: 5_023n,
              payee: { name: 'Ada Example', account: 'DE40987654329876543210', bic: null },
              text: 'Payout + more',
              reference: null,
            },
            {
              ...common,
              instructionId: 'uvw789xyz012',
              endToEndId: 'uvw789xyz012',
              units: 1n,
              payee: { name: 'Acme BV', account: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
              text: null,
              reference: 'RF18539007547034',
            },
          ],
        },
      ],
    });
  });

for (const version of ['pain.001.001.09', 'pain.001.001.08', 'pain.001.001.03'])
  test(`it reads a ${version} of another program, with several batches`, () => {
    const document = new sepa.Document(version);
    document.grpHdr.id = 'FOREIGN-1';
    document.grpHdr.created = file.createdAt;
    document.grpHdr.initiatorName = 'Somebody else';
    for (const amount of [50.23, 0.07]) {
      const batch = document.createPaymentInfo();
      batch.requestedExecutionDate = new Date('2026-11-19T12:00:00Z');
      batch.debtorIBAN = 'DE89370400440532013000';
      batch.debtorBIC = 'COBADEFFXXX';
      batch.debtorName = 'Somebody else';
      document.addPaymentInfo(batch);
      const order = batch.createTransaction();
      order.creditorName = 'Ada Example';
      order.creditorIBAN = 'DE40987654329876543210';
      order.creditorBIC = 'CUSTDEM0XXX';
      order.amount = amount;
      order.remittanceInfo = 'INVOICE 54';
      order.end2endId = `order.${amount}`;
      batch.addTransaction(order);
    }
    const read = readPaymentFile(document.toString());
    assert.deepEqual([read.version, read.id, read.batches.length], [version, 'FOREIGN-1', 2]);
    const orders = read.batches.flatMap((batch) => batch.orders);
    assert.deepEqual(
      orders.map(({ units, endToEndId, text, payee }) => [units, endToEndId, text, payee.bic]),
      [
        [5_023n, 'order.50.23', 'INVOICE 54', 'CUSTDEM0XXX'],
        [7n, 'order.0.07', 'INVOICE 54', 'CUSTDEM0XXX'],
      ],
    );
    assert.equal(read.batches[0]?.executionDay, '2026-11-19');
  });

test('names may have a prefix, and amounts zeros', () => {
  const prefixed = writePaymentFile({ ...file, version: 'pain.001.001.03' })
    .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1p:')
    .replace('xmlns=', 'xmlns:p=')
    .replace('>50.23<', '>0050.23000<');
  assert.equal(readPaymentFile(prefixed).batches[0]?.orders[0]?.units, 5_023n);
});

test('what does not add up or is no such file is refused whole, with the code of ISO 20022', () => {
  const xml = writePaymentFile(file);
  const codeOf = (text: string): string => {
    try {
      readPaymentFile(text);
      return 'taken';
    } catch (error) {
      assert.ok(error instanceof PaymentFileRefused, String(error));
      return error.code;
    }
  };
  for (const [text, code] of [
    [xml, 'taken'],
    ['', 'FF01'],
    ['<a>', 'FF01'],
    ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.02"/>', 'FF01'],
    [xml.replace('?>', '?><!DOCTYPE Document>'), 'FF01'],
    [xml.replace('&gt;', '&unknown;').replace('Ada', '&unknown;'), 'FF01'],
    [xml.replaceAll('<NbOfTxs>2<', '<NbOfTxs>3<'), 'AM18'],
    [xml.replace('<CtrlSum>50.24<', '<CtrlSum>50.25<'), 'AM10'],
    [xml.replace('>0.01<', '>0.001<'), 'AM12'],
    [xml.replace('>0.01<', '>-0.01<'), 'AM12'],
    [xml.replaceAll('uvw789xyz012', 'abc123def456'), 'DU01'],
    [xml.replace(' Ccy="EUR"', ''), 'FF01'],
    [xml.replace('<Nm>Ada Example</Nm>', ''), 'FF01'],
  ] as const)
    assert.equal(codeOf(text), code, text.slice(0, 300));
});
