/** Horizon's errors: RFC 7807, with a `type` that clients look at and `extras` that say more. */
export class HorizonProblem extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  constructor(status: number, name: string, title: string, detail: string, extras?: Readonly<Record<string, unknown>>) {
    super(title);
    this.status = status;
    this.body = {
      type: `https://stellar.org/horizon-errors/${name}`,
      title,
      status,
      detail,
      ...(extras && { extras }),
    };
  }
}

export const resourceMissing = () =>
  new HorizonProblem(404, 'not_found', 'Resource Missing', 'The resource at the url requested was not found.');

export const badField = (field: string, reason: string) =>
  new HorizonProblem(400, 'bad_request', 'Bad Request', 'The request you sent was invalid in some way.', {
    invalid_field: field,
    reason,
  });

export const transactionMalformed = (envelope: string) =>
  new HorizonProblem(400, 'transaction_malformed', 'Transaction Malformed', 'The transaction could not be decoded.', {
    envelope_xdr: envelope,
  });

export const transactionFailed = (extras: Readonly<Record<string, unknown>>) =>
  new HorizonProblem(
    400,
    'transaction_failed',
    'Transaction Failed',
    'The transaction failed when submitted to the stellar network. The `extras.result_codes` field says why.',
    extras,
  );

export const submissionTimeout = () =>
  new HorizonProblem(
    504,
    'timeout',
    'Timeout',
    'The transaction was not part of a ledger in time. Its fate is unknown.',
  );

/** stellar-core takes one waiting transaction per source account; Horizon tells the client to try again later. */
export const tryAgainLater = (hash: string) =>
  new HorizonProblem(503, 'try_again_later', 'Try Again Later', 'A transaction of this account is waiting already.', {
    hash,
  });
