/**
 * The signature of a request: lower-case hex of HMAC-SHA-256(secret, path + timestamp + METHOD + body). The path is without
 * /api/v1 and without the query; the body is the text exactly as it is sent.
 */
import { createHmac } from 'node:crypto';

export type RequestToSign = {
  readonly method: string;
  readonly path: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly body: string;
};

export const signRequest = (secret: string, { method, path, timestamp, body }: RequestToSign): string =>
  createHmac('sha256', secret).update(`${path}${timestamp}${method.toUpperCase()}${body}`).digest('hex');
