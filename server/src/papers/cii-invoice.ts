/** An electronic invoice as UN/CEFACT's Cross Industry Invoice: what Factur-X and ZUGFeRD put into a PDF, profile EN 16931. */

import { element, type Xml, xmlDocument } from '../lib/xml-element.ts';
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

const uncefact = 'urn:un:unece:uncefact:data:standard';

/** BT-24: the standard, and nothing beyond it. */
export const specification = 'urn:cen.eu:en16931:2017';

export function ciiInvoice(invoice: EInvoice): string {
  const context = element('rsm:ExchangedDocumentContext', [
    element('ram:GuidelineSpecifiedDocumentContextParameter', element('ram:ID', specification)),
  ]);
  const document = element('rsm:ExchangedDocument', [
    element('ram:ID', invoice.number),
    element('ram:TypeCode', invoice.type),
    element('ram:IssueDateTime', day('udt', invoice.issuedOn)),
    ...invoice.notes.map((note) => element('ram:IncludedNote', element('ram:Content', note))),
  ]);
  const transaction = element('rsm:SupplyChainTradeTransaction', [
    ...invoice.lines.map(lineItem),
    element('ram:ApplicableHeaderTradeAgreement', [
      seller(invoice.seller),
      buyer(invoice.buyer),
      element('ram:SellerOrderReferencedDocument', element('ram:IssuerAssignedID', invoice.orderReference)),
    ]),
    delivery(invoice) ?? { markup: '<ram:ApplicableHeaderTradeDelivery/>' }, // The schema asks for it even so.
    settlement(invoice),
  ]);
  const names = {
    'xmlns:rsm': `${uncefact}:CrossIndustryInvoice:100`,
    'xmlns:qdt': `${uncefact}:QualifiedDataType:100`,
    'xmlns:ram': `${uncefact}:ReusableAggregateBusinessInformationEntity:100`,
    'xmlns:udt': `${uncefact}:UnqualifiedDataType:100`,
  };
  return xmlDocument(element('rsm:CrossIndustryInvoice', [context, document, transaction], names));
}

/** 102: year, month and day without anything between them. */
const day = (prefix: 'udt' | 'qdt', date: string | null): Xml | null =>
  element(`${prefix}:DateTimeString`, date?.replaceAll('-', '') ?? null, { format: '102' });

const taxOf = ({ category, rate }: Vat): (Xml | null)[] => [
  element('ram:TypeCode', 'VAT'),
  element('ram:CategoryCode', category),
  element('ram:RateApplicablePercent', rate),
];

const lineItem = (line: ELine, at: number): Xml | null =>
  element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', element('ram:LineID', String(at + 1))),
    element('ram:SpecifiedTradeProduct', [
      element('ram:SellerAssignedID', line.productId),
      element('ram:Name', line.name),
    ]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', element('ram:ChargeAmount', line.price)),
    ]),
    element('ram:SpecifiedLineTradeDelivery', element('ram:BilledQuantity', line.quantity, { unitCode: pieces })),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', taxOf(line.vat)),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', element('ram:LineTotalAmount', line.amount)),
    ]),
  ]);

const address = ({ postcode, street, more, city, country }: EAddress): Xml | null =>
  element('ram:PostalTradeAddress', [
    element('ram:PostcodeCode', postcode),
    element('ram:LineOne', street),
    element('ram:LineTwo', more),
    element('ram:CityName', city),
    element('ram:CountryID', country),
  ]);

const electronicAddress = (email: string | null): Xml | null =>
  element('ram:URIUniversalCommunication', element('ram:URIID', email, { schemeID: 'EM' }));

const registration = (schemeID: 'VA' | 'FC', id: string | null): Xml | null =>
  element('ram:SpecifiedTaxRegistration', element('ram:ID', id, { schemeID }));

const seller = (party: ESeller): Xml | null =>
  element('ram:SellerTradeParty', [
    element('ram:ID', party.identifier),
    element('ram:Name', party.name),
    element('ram:Description', party.legalInfo),
    element('ram:SpecifiedLegalOrganization', element('ram:TradingBusinessName', party.tradingName)),
    address(party.address),
    electronicAddress(party.email),
    registration('VA', party.vatId),
    registration('FC', party.taxNumber),
  ]);

const buyer = (party: EBuyer): Xml | null =>
  element('ram:BuyerTradeParty', [
    element('ram:ID', party.identifier),
    element('ram:Name', party.name),
    element('ram:DefinedTradeContact', element('ram:PersonName', party.contact)),
    address(party.address),
    electronicAddress(party.email),
    registration('VA', party.vatId),
  ]);

const delivery = ({ deliveredTo, deliveredOn }: EInvoice): Xml | null =>
  element('ram:ApplicableHeaderTradeDelivery', [
    element('ram:ShipToTradeParty', element('ram:PostalTradeAddress', element('ram:CountryID', deliveredTo))),
    element('ram:ActualDeliverySupplyChainEvent', element('ram:OccurrenceDateTime', day('udt', deliveredOn))),
  ]);

const breakdown = (tax: VatBreakdown): Xml | null =>
  element('ram:ApplicableTradeTax', [
    element('ram:CalculatedAmount', tax.tax),
    element('ram:TypeCode', 'VAT'),
    element('ram:ExemptionReason', tax.reason),
    element('ram:BasisAmount', tax.base),
    element('ram:CategoryCode', tax.category),
    element('ram:ExemptionReasonCode', tax.reasonCode),
    element('ram:RateApplicablePercent', tax.rate),
  ]);

const allowance = ({ amount, reason, vat }: EAllowance, isCharge: boolean): Xml | null =>
  element('ram:SpecifiedTradeAllowanceCharge', [
    element('ram:ChargeIndicator', element('udt:Indicator', String(isCharge))),
    element('ram:ActualAmount', amount),
    element('ram:Reason', reason),
    element('ram:CategoryTradeTax', taxOf(vat)),
  ]);

function settlement(invoice: EInvoice): Xml | null {
  const { totals, currency, preceding } = invoice;
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:InvoiceCurrencyCode', currency),
    invoice.paymentMeans === null
      ? null
      : element('ram:SpecifiedTradeSettlementPaymentMeans', [
          element('ram:TypeCode', paymentMeansCode),
          element('ram:Information', invoice.paymentMeans),
        ]),
    ...invoice.vatBreakdown.map(breakdown),
    ...invoice.allowances.map((each) => allowance(each, false)),
    ...invoice.charges.map((each) => allowance(each, true)),
    element('ram:SpecifiedTradePaymentTerms', element('ram:Description', invoice.paymentTerms)),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', totals.lines),
      element('ram:ChargeTotalAmount', totals.charges),
      element('ram:AllowanceTotalAmount', totals.allowances),
      element('ram:TaxBasisTotalAmount', totals.withoutVat),
      element('ram:TaxTotalAmount', totals.vat, { currencyID: currency }),
      element('ram:RoundingAmount', totals.rounding),
      element('ram:GrandTotalAmount', totals.withVat),
      element('ram:TotalPrepaidAmount', totals.paid),
      element('ram:DuePayableAmount', totals.due),
    ]),
    preceding &&
      element('ram:InvoiceReferencedDocument', [
        element('ram:IssuerAssignedID', preceding.number),
        element('ram:FormattedIssueDateTime', day('qdt', preceding.issuedOn)),
      ]),
  ]);
}
