/** Why a bank rejects a payment or sends it back: codes of ISO 20022, in words. */
const reasons: Readonly<Record<string, string>> = {
  AC01: 'Account number incorrect',
  AC02: 'Account to pay from incorrect',
  AC04: 'Account closed',
  AC06: 'Account blocked',
  AM01: 'Amount is zero',
  AM02: 'Amount too large',
  AM03: 'Currency not allowed',
  AM04: 'Insufficient funds',
  AM05: 'Duplicate payment',
  AM10: 'Control sum incorrect',
  AM18: 'Number of transactions incorrect',
  BE04: 'Address missing',
  BE22: 'Name missing',
  CH03: 'Charge bearer not allowed',
  DT01: 'Day not possible',
  FOCR: 'Following a cancellation request',
  MD07: 'Account holder deceased',
  RC01: 'Bank identifier incorrect',
  RR04: 'Regulatory reason',
  RR09: 'Reference incorrect',
};

export const sentenceOf = (code: string): string => reasons[code] ?? 'Reason not specified';
