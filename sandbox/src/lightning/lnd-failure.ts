/** A refusal in the words of LND: gRPC's number of the error, and the HTTP status that goes with it. */
export class LndFailure extends Error {
  readonly code: number;
  readonly status: number;
  constructor(message: string, code = 2, status = 500) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export const notFound = (message: string): LndFailure => new LndFailure(message, 5, 404);
export const alreadyExists = (message: string): LndFailure => new LndFailure(message, 6, 409);
