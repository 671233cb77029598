/** Invoices as LDK makes, reads and pays them. */
import { createHash } from 'node:crypto';
import * as ldk from 'lightningdevkit';
import type { LdkNode } from './ldk-node.ts';

export type NewInvoice = {
  readonly valueSat: bigint | null; // null: whoever pays decides
  readonly memo: string;
  readonly expirySeconds: number;
  readonly preimage: Uint8Array;
  /** For how many blocks whoever is paid wants to be able to hold the payment. Left out: as few as LDK allows. */
  readonly finalBlocks?: number | undefined;
};

/** If no preimage is given, the node makes one from its keys and tells it when it is paid: nobody must store it. */
export function makeInvoice(
  { channels }: LdkNode,
  { valueSat, memo, expirySeconds, preimage, finalBlocks }: Omit<NewInvoice, 'preimage'> & Partial<NewInvoice>,
): string {
  const description = ldk.Description.constructor_new(memo);
  if (!(description instanceof ldk.Result_DescriptionCreationErrorZ_OK)) throw new Error('memo too large');
  const made = channels.create_bolt11_invoice(
    valueSat === null ? ldk.Option_u64Z.constructor_none() : ldk.Option_u64Z.constructor_some(1_000n * valueSat),
    ldk.Bolt11InvoiceDescription.constructor_direct(description.res),
    ldk.Option_u32Z.constructor_some(expirySeconds),
    finalBlocks === undefined ? ldk.Option_u16Z.constructor_none() : ldk.Option_u16Z.constructor_some(finalBlocks),
    preimage
      ? ldk.Option_ThirtyTwoBytesZ.constructor_some(hashOf(preimage))
      : ldk.Option_ThirtyTwoBytesZ.constructor_none(),
  );
  if (!(made instanceof ldk.Result_Bolt11InvoiceSignOrCreationErrorZ_OK)) throw new Error('invalid invoice');
  return made.res.to_str();
}

/** The preimage of a payment, if the node made it; otherwise null. */
export function preimageOf({ purpose }: ldk.Event_PaymentClaimable): Uint8Array | null {
  if (!(purpose instanceof ldk.PaymentPurpose_Bolt11InvoicePayment)) return null;
  const { payment_preimage: preimage } = purpose;
  return preimage instanceof ldk.Option_ThirtyTwoBytesZ_Some ? preimage.some : null;
}

export const hashOf = (preimage: Uint8Array): Uint8Array => createHash('sha256').update(preimage).digest();

export type ReadInvoice = {
  readonly parsed: ldk.Bolt11Invoice;
  readonly hash: string;
  readonly msat: bigint | null;
  readonly payee: string;
  readonly expiresAt: Date;
};

export function readInvoice(text: string): ReadInvoice {
  const result = ldk.Bolt11Invoice.constructor_from_str(text);
  if (!(result instanceof ldk.Result_Bolt11InvoiceParseOrSemanticErrorZ_OK)) throw new Error('This is no invoice.');
  const parsed = result.res;
  const msat = parsed.amount_milli_satoshis();
  return {
    parsed,
    hash: toHex(parsed.payment_hash()),
    msat: msat instanceof ldk.Option_u64Z_Some ? msat.some : null,
    payee: toHex(parsed.recover_payee_pub_key()),
    expiresAt: new Date(Number(parsed.duration_since_epoch() + parsed.expiry_time()) * 1_000),
  };
}

export type InvoicePayment = {
  /** Instead of the amount of the invoice, or because the invoice has none. */
  readonly msat?: bigint | undefined;
  readonly feeLimitMsat?: bigint | undefined;
  /** Into how many parts it may be cut. */
  readonly partsMax?: number;
  /** For how many blocks it may be held on its way. */
  readonly blocksMax?: number;
  /** The name of this payment in events. LDK refuses the same one again while it remembers it. */
  readonly paymentId: Uint8Array;
};

/** Begins to pay; events tell how it ends. If it is refused at once, the reason is thrown. */
export function beginPayment(
  { channels }: LdkNode,
  { parsed, msat: asked }: ReadInvoice,
  { msat, feeLimitMsat, partsMax, blocksMax, paymentId }: InvoicePayment,
): ldk.RetryableSendFailure | 'begun' {
  const parameters =
    asked === null
      ? ldk.UtilMethods.constructor_payment_parameters_from_variable_amount_invoice(parsed, msat ?? 0n)
      : ldk.UtilMethods.constructor_payment_parameters_from_invoice(parsed);
  if (!(parameters instanceof ldk.Result_C3Tuple_ThirtyTwoBytesRecipientOnionFieldsRouteParametersZNoneZ_OK))
    throw new Error('The invoice asks for no amount.');
  const [hash, onion, route] = [parameters.res.get_a(), parameters.res.get_b(), parameters.res.get_c()];
  if (asked !== null && msat !== undefined) route.set_final_value_msat(msat);
  if (feeLimitMsat !== undefined) route.set_max_total_routing_fee_msat(ldk.Option_u64Z.constructor_some(feeLimitMsat));
  const wanted = route.get_payment_params();
  if (partsMax !== undefined) wanted.set_max_path_count(partsMax);
  if (blocksMax !== undefined) wanted.set_max_total_cltv_expiry_delta(blocksMax);
  route.set_payment_params(wanted);
  const sending = channels.send_payment(hash, onion, paymentId, route, ldk.Retry.constructor_attempts(0));
  return sending instanceof ldk.Result_NoneRetryableSendFailureZ_Err ? sending.err : 'begun';
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
