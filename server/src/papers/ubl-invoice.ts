/**
 * An electronic invoice as OASIS UBL 2.1, the other syntax of EN 16931 and the one of Peppol. A credit note is a document of its
 * own there, with another name for its lines and its type.
 */

import { element, type Xml, xmlDocument } from '../lib/xml-element.ts';
import { specification } from './cii-invoice.ts';
import {
  type EAddress,
  type EAllowance,
  type EBuyer,
  type EInvoice,
  type ELine,
  type ESeller,
  paymentMeansCode,
  pieces,
  type Vat,
  type VatBreakdown,
} from './e-invoice.ts';

const oasis = 'urn:oasis:names:specification:ubl:schema:xsd';

export function ublInvoice(invoice: EInvoice): string {
  const name = invoice.type === '380' ? 'Invoice' : 'CreditNote';
  const { currency, preceding } = invoice;
  const money = (tag: string, value: string | null) => element(`cbc:${tag}`, value, { currencyID: currency });
  const content = [
    element('cbc:CustomizationID', specification),
    element('cbc:ID', invoice.number),
    element('cbc:IssueDate', invoice.issuedOn),
    element(`cbc:${name}TypeCode`, invoice.type),
    element('cbc:Note', invoice.notes.join('\n')), // Peppol takes one.
    element('cbc:DocumentCurrencyCode', currency),
    // The buyer's own number of the order cannot be left out there: NA is how Peppol says that there is none.
    invoice.orderReference === null
      ? null
      : element('cac:OrderReference', [element('cbc:ID', 'NA'), element('cbc:SalesOrderID', invoice.orderReference)]),
    preceding &&
      element('cac:BillingReference', [
        element('cac:InvoiceDocumentReference', [
          element('cbc:ID', preceding.number),
          element('cbc:IssueDate', preceding.issuedOn),
        ]),
      ]),
    element('cac:AccountingSupplierParty', seller(invoice.seller)),
    element('cac:AccountingCustomerParty', buyer(invoice.buyer)),
    delivery(invoice),
    invoice.paymentMeans === null
      ? null
      : element('cac:PaymentMeans', [
          element('cbc:PaymentMeansCode', paymentMeansCode, { name: invoice.paymentMeans }),
        ]),
    element('cac:PaymentTerms', element('cbc:Note', invoice.paymentTerms)),
    ...invoice.allowances.map((each) => allowance(each, false, currency)),
    ...invoice.charges.map((each) => allowance(each, true, currency)),
    element('cac:TaxTotal', [
      money('TaxAmount', invoice.totals.vat),
      ...invoice.vatBreakdown.map((each) => breakdown(each, currency)),
    ]),
    element('cac:LegalMonetaryTotal', [
      money('LineExtensionAmount', invoice.totals.lines),
      money('TaxExclusiveAmount', invoice.totals.withoutVat),
      money('TaxInclusiveAmount', invoice.totals.withVat),
      money('AllowanceTotalAmount', invoice.totals.allowances),
      money('ChargeTotalAmount', invoice.totals.charges),
      money('PrepaidAmount', invoice.totals.paid),
      money('PayableRoundingAmount', invoice.totals.rounding),
      money('PayableAmount', invoice.totals.due),
    ]),
    ...invoice.lines.map((line, at) => lineItem(name, line, at, currency)),
  ];
  return xmlDocument(
    element(name, content, {
      xmlns: `${oasis}:${name}-2`,
      'xmlns:cac': `${oasis}:CommonAggregateComponents-2`,
      'xmlns:cbc': `${oasis}:CommonBasicComponents-2`,
    }),
  );
}

const scheme = (id: 'VAT' | 'TAX'): Xml | null => element('cac:TaxScheme', element('cbc:ID', id));

const country = (code: string | null): Xml | null => element('cac:Country', element('cbc:IdentificationCode', code));

const address = (of: EAddress): Xml | null =>
  element('cac:PostalAddress', [
    element('cbc:StreetName', of.street),
    element('cbc:AdditionalStreetName', of.more),
    element('cbc:CityName', of.city),
    element('cbc:PostalZone', of.postcode),
    country(of.country),
  ]);

const endpoint = (email: string | null): Xml | null => element('cbc:EndpointID', email, { schemeID: 'EM' });

const identification = (id: string | null): Xml | null => element('cac:PartyIdentification', element('cbc:ID', id));

/** Of the VAT, or else of the taxes of the country. */
const registration = (id: string | null, of: 'VAT' | 'TAX'): Xml | null =>
  id === null ? null : element('cac:PartyTaxScheme', [element('cbc:CompanyID', id), scheme(of)]);

const legalEntity = (name: string, info: string | null): Xml | null =>
  element('cac:PartyLegalEntity', [element('cbc:RegistrationName', name), element('cbc:CompanyLegalForm', info)]);

const seller = (party: ESeller): Xml | null =>
  element('cac:Party', [
    endpoint(party.email),
    identification(party.identifier),
    element('cac:PartyName', element('cbc:Name', party.tradingName)),
    address(party.address),
    registration(party.vatId, 'VAT'),
    registration(party.taxNumber, 'TAX'),
    legalEntity(party.name, party.legalInfo),
  ]);

const buyer = (party: EBuyer): Xml | null =>
  element('cac:Party', [
    endpoint(party.email),
    identification(party.identifier),
    address(party.address),
    registration(party.vatId, 'VAT'),
    legalEntity(party.name, null),
    element('cac:Contact', element('cbc:Name', party.contact)),
  ]);

const delivery = ({ deliveredOn, deliveredTo }: EInvoice): Xml | null =>
  element('cac:Delivery', [
    element('cbc:ActualDeliveryDate', deliveredOn),
    element('cac:DeliveryLocation', element('cac:Address', country(deliveredTo))),
  ]);

const category = (tag: string, { category: code, rate }: Vat, more: readonly (Xml | null)[] = []): Xml | null =>
  element(`cac:${tag}`, [element('cbc:ID', code), element('cbc:Percent', rate), ...more, scheme('VAT')]);

const allowance = ({ amount, reason, vat }: EAllowance, isCharge: boolean, currency: string): Xml | null =>
  element('cac:AllowanceCharge', [
    element('cbc:ChargeIndicator', String(isCharge)),
    element('cbc:AllowanceChargeReason', reason),
    element('cbc:Amount', amount, { currencyID: currency }),
    category('TaxCategory', vat),
  ]);

const breakdown = (tax: VatBreakdown, currency: string): Xml | null =>
  element('cac:TaxSubtotal', [
    element('cbc:TaxableAmount', tax.base, { currencyID: currency }),
    element('cbc:TaxAmount', tax.tax, { currencyID: currency }),
    category('TaxCategory', tax, [
      element('cbc:TaxExemptionReasonCode', tax.reasonCode),
      element('cbc:TaxExemptionReason', tax.reason),
    ]),
  ]);

const lineItem = (of: 'Invoice' | 'CreditNote', line: ELine, at: number, currency: string): Xml | null =>
  element(`cac:${of}Line`, [
    element('cbc:ID', String(at + 1)),
    element(of === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity', line.quantity, { unitCode: pieces }),
    element('cbc:LineExtensionAmount', line.amount, { currencyID: currency }),
    element('cac:Item', [
      element('cbc:Name', line.name),
      element('cac:SellersItemIdentification', element('cbc:ID', line.productId)),
      category('ClassifiedTaxCategory', line.vat),
    ]),
    element('cac:Price', element('cbc:PriceAmount', line.price, { currencyID: currency })),
  ]);
