import { type PayerInstructions, type PayerRequest, plainInstructions } from '../port/payer-instructions.ts';
import { takes } from './pix-payer-texts.ts';

/** A code says its amount itself. Apps of banks read it by the camera, or get it pasted; no link opens them. */
export function pixInstructions(request: PayerRequest): PayerInstructions {
  return { ...plainInstructions(request), target: 'invoice', isPaidFromExchanges: false, takes };
}
