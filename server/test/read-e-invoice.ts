/**
 * Reads an electronic invoice back from its XML, in either syntax, by the paths that EN 16931-3 gives to each business term. What
 * is written in the wrong place is not found here.
 */
import type {
  EAddress,
  EAllowance,
  EBuyer,
  EInvoice,
  ELine,
  ESeller,
  ETotals,
  Vat,
  VatBreakdown,
  VatCategory,
} from '../src/papers/e-invoice.ts';

type Node = { name: string; attributes: Record<string, string>; text: string; children: Node[] };

const plain = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** Of what we write: no comments, no sections, and no element with both text and elements. */
function parseXml(xml: string): Node {
  const root: Node = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  for (const [, closing, name = '', given = '', isEmpty, text = ''] of xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .matchAll(/<(\/?)([\w:]+)([^>]*?)(\/?)>([^<]*)/g)) {
    if (closing) {
      open.pop();
      continue;
    }
    const attributes = Object.fromEntries(
      Array.from(given.matchAll(/([\w:]+)="([^"]*)"/g), ([, key = '', value = '']) => [key, plain(value)]),
    );
    const node = { name, attributes, text: plain(text), children: [] };
    open.at(-1)?.children.push(node);
    if (!isEmpty) open.push(node);
  }
  return root;
}

const all = (from: Node, path: string): Node[] =>
  path
    .split('/')
    .reduce((nodes, name) => nodes.flatMap(({ children }) => children.filter((each) => each.name === name)), [from]);

const read = (from: Node, path: string): string | null => all(from, path)[0]?.text ?? null;
const text = (from: Node, path: string): string => {
  const found = read(from, path);
  if (found === null) throw new Error(`nothing at ${path}`);
  return found;
};
const withAttribute = (from: Node, path: string, key: string, value: string): string | null =>
  all(from, path).find(({ attributes }) => attributes[key] === value)?.text ?? null;
const categoryIn = (from: Node, path: string): VatCategory => text(from, path) as VatCategory;

export type ReadInvoice = EInvoice & {
  readonly specification: string | null; // BT-24
  readonly paymentMeansCode: string | null; // BT-81
  readonly lineIds: readonly string[]; // BT-126
  readonly units: readonly (string | undefined)[]; // BT-130
  readonly schemes: readonly (string | undefined)[]; // of BT-34 and BT-49
};

export function readCii(xml: string): ReadInvoice {
  const [root = parseXml('')] = all(parseXml(xml), 'rsm:CrossIndustryInvoice');
  const document = 'rsm:ExchangedDocument';
  const trade = 'rsm:SupplyChainTradeTransaction';
  const agreement = `${trade}/ram:ApplicableHeaderTradeAgreement`;
  const delivery = `${trade}/ram:ApplicableHeaderTradeDelivery`;
  const settlement = `${trade}/ram:ApplicableHeaderTradeSettlement`;
  const sums = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
  const day = (written: string | null): string | null =>
    written === null ? null : `${written.slice(0, 4)}-${written.slice(4, 6)}-${written.slice(6)}`;
  const vat = (from: Node, at: string): Vat => ({
    category: categoryIn(from, `${at}/ram:CategoryCode`),
    rate: read(from, `${at}/ram:RateApplicablePercent`),
  });
  const party = (path: string) => {
    const registered = `${path}/ram:SpecifiedTaxRegistration/ram:ID`;
    const address = `${path}/ram:PostalTradeAddress`;
    return {
      name: text(root, `${path}/ram:Name`),
      identifier: read(root, `${path}/ram:ID`),
      vatId: withAttribute(root, registered, 'schemeID', 'VA'),
      legalInfo: read(root, `${path}/ram:Description`),
      tradingName: read(root, `${path}/ram:SpecifiedLegalOrganization/ram:TradingBusinessName`),
      taxNumber: withAttribute(root, registered, 'schemeID', 'FC'),
      email: read(root, `${path}/ram:URIUniversalCommunication/ram:URIID`),
      contact: read(root, `${path}/ram:DefinedTradeContact/ram:PersonName`),
      address: {
        street: read(root, `${address}/ram:LineOne`),
        more: read(root, `${address}/ram:LineTwo`),
        city: read(root, `${address}/ram:CityName`),
        postcode: read(root, `${address}/ram:PostcodeCode`),
        country: text(root, `${address}/ram:CountryID`),
      } satisfies EAddress,
    };
  };
  const allowances = (isCharge: string): EAllowance[] =>
    all(root, `${settlement}/ram:SpecifiedTradeAllowanceCharge`)
      .filter((each) => text(each, 'ram:ChargeIndicator/udt:Indicator') === isCharge)
      .map((each) => ({
        reason: text(each, 'ram:Reason'),
        amount: text(each, 'ram:ActualAmount'),
        vat: vat(each, 'ram:CategoryTradeTax'),
      }));
  const items = all(root, `${trade}/ram:IncludedSupplyChainTradeLineItem`);
  const quantity = 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity';
  const lineSettlement = 'ram:SpecifiedLineTradeSettlement';
  const preceding = `${settlement}/ram:InvoiceReferencedDocument`;
  const { contact: _, ...seller } = party(`${agreement}/ram:SellerTradeParty`);
  const { taxNumber: __, legalInfo: ___, tradingName: ____, ...buyer } = party(`${agreement}/ram:BuyerTradeParty`);
  return {
    specification: read(root, 'rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'),
    type: text(root, `${document}/ram:TypeCode`) as EInvoice['type'],
    number: text(root, `${document}/ram:ID`),
    issuedOn: day(text(root, `${document}/ram:IssueDateTime/udt:DateTimeString`)) ?? '',
    currency: text(root, `${settlement}/ram:InvoiceCurrencyCode`),
    notes: all(root, `${document}/ram:IncludedNote/ram:Content`).map((note) => note.text),
    orderReference: read(root, `${agreement}/ram:SellerOrderReferencedDocument/ram:IssuerAssignedID`),
    preceding:
      all(root, preceding).length === 0
        ? null
        : {
            number: text(root, `${preceding}/ram:IssuerAssignedID`),
            issuedOn: day(text(root, `${preceding}/ram:FormattedIssueDateTime/qdt:DateTimeString`)) ?? '',
          },
    seller: seller satisfies ESeller,
    buyer: buyer satisfies EBuyer,
    deliveredOn: day(
      read(root, `${delivery}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString`),
    ),
    deliveredTo: read(root, `${delivery}/ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CountryID`),
    paymentMeans: read(root, `${settlement}/ram:SpecifiedTradeSettlementPaymentMeans/ram:Information`),
    paymentMeansCode: read(root, `${settlement}/ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode`),
    paymentTerms: read(root, `${settlement}/ram:SpecifiedTradePaymentTerms/ram:Description`),
    allowances: allowances('false'),
    charges: allowances('true'),
    vatBreakdown: all(root, `${settlement}/ram:ApplicableTradeTax`).map(
      (tax): VatBreakdown => ({
        category: categoryIn(tax, 'ram:CategoryCode'),
        rate: read(tax, 'ram:RateApplicablePercent'),
        base: text(tax, 'ram:BasisAmount'),
        tax: text(tax, 'ram:CalculatedAmount'),
        reason: read(tax, 'ram:ExemptionReason'),
        reasonCode: read(tax, 'ram:ExemptionReasonCode'),
      }),
    ),
    totals: {
      lines: text(root, `${sums}/ram:LineTotalAmount`),
      allowances: read(root, `${sums}/ram:AllowanceTotalAmount`),
      charges: read(root, `${sums}/ram:ChargeTotalAmount`),
      withoutVat: text(root, `${sums}/ram:TaxBasisTotalAmount`),
      vat:
        withAttribute(
          root,
          `${sums}/ram:TaxTotalAmount`,
          'currencyID',
          text(root, `${settlement}/ram:InvoiceCurrencyCode`),
        ) ?? 'no tax in the currency of the invoice',
      withVat: text(root, `${sums}/ram:GrandTotalAmount`),
      paid: read(root, `${sums}/ram:TotalPrepaidAmount`),
      rounding: read(root, `${sums}/ram:RoundingAmount`),
      due: text(root, `${sums}/ram:DuePayableAmount`),
    } satisfies ETotals,
    lines: items.map(
      (item): ELine => ({
        name: text(item, 'ram:SpecifiedTradeProduct/ram:Name'),
        productId: read(item, 'ram:SpecifiedTradeProduct/ram:SellerAssignedID'),
        quantity: text(item, quantity),
        price: text(item, 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount'),
        amount: text(item, `${lineSettlement}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`),
        vat: vat(item, `${lineSettlement}/ram:ApplicableTradeTax`),
      }),
    ),
    lineIds: items.map((item) => text(item, 'ram:AssociatedDocumentLineDocument/ram:LineID')),
    units: items.map((item) => all(item, quantity)[0]?.attributes['unitCode']),
    schemes: ['Seller', 'Buyer'].flatMap((side) =>
      all(root, `${agreement}/ram:${side}TradeParty/ram:URIUniversalCommunication/ram:URIID`).map(
        ({ attributes }) => attributes['schemeID'],
      ),
    ),
  };
}

export function readUbl(xml: string): ReadInvoice {
  const [root = parseXml('')] = parseXml(xml).children;
  const { name } = root;
  if (root.attributes['xmlns'] !== `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`)
    throw new Error(`a ${name} that is none of UBL`);
  const currency = text(root, 'cbc:DocumentCurrencyCode');
  const money = (from: Node, path: string): string | null => {
    const [found] = all(from, path);
    if (found && found.attributes['currencyID'] !== currency) throw new Error(`${path} is in no currency`);
    return found?.text ?? null;
  };
  const amount = (from: Node, path: string): string => money(from, path) ?? `nothing at ${path}`;
  const vat = (from: Node, at: string): Vat => {
    if (text(from, `${at}/cac:TaxScheme/cbc:ID`) !== 'VAT') throw new Error('a tax that is no VAT');
    return { category: categoryIn(from, `${at}/cbc:ID`), rate: read(from, `${at}/cbc:Percent`) };
  };
  const party = (path: string) => {
    const address = `${path}/cac:PostalAddress`;
    const registered = (scheme: string): string | null => {
      const found = all(root, `${path}/cac:PartyTaxScheme`).find(
        (each) => text(each, 'cac:TaxScheme/cbc:ID') === scheme,
      );
      return found ? text(found, 'cbc:CompanyID') : null;
    };
    return {
      name: text(root, `${path}/cac:PartyLegalEntity/cbc:RegistrationName`),
      identifier: read(root, `${path}/cac:PartyIdentification/cbc:ID`),
      vatId: registered('VAT'),
      legalInfo: read(root, `${path}/cac:PartyLegalEntity/cbc:CompanyLegalForm`),
      tradingName: read(root, `${path}/cac:PartyName/cbc:Name`),
      taxNumber: registered('TAX'),
      email: read(root, `${path}/cbc:EndpointID`),
      contact: read(root, `${path}/cac:Contact/cbc:Name`),
      address: {
        street: read(root, `${address}/cbc:StreetName`),
        more: read(root, `${address}/cbc:AdditionalStreetName`),
        city: read(root, `${address}/cbc:CityName`),
        postcode: read(root, `${address}/cbc:PostalZone`),
        country: text(root, `${address}/cac:Country/cbc:IdentificationCode`),
      } satisfies EAddress,
    };
  };
  const allowances = (isCharge: string): EAllowance[] =>
    all(root, 'cac:AllowanceCharge')
      .filter((each) => text(each, 'cbc:ChargeIndicator') === isCharge)
      .map((each) => ({
        reason: text(each, 'cbc:AllowanceChargeReason'),
        amount: amount(each, 'cbc:Amount'),
        vat: vat(each, 'cac:TaxCategory'),
      }));
  const items = all(root, `cac:${name}Line`);
  const quantity = name === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity';
  const preceding = 'cac:BillingReference/cac:InvoiceDocumentReference';
  const sums = 'cac:LegalMonetaryTotal';
  const note = read(root, 'cbc:Note');
  const [means] = all(root, 'cac:PaymentMeans/cbc:PaymentMeansCode');
  const { contact: _, ...seller } = party('cac:AccountingSupplierParty/cac:Party');
  const { taxNumber: __, legalInfo: ___, tradingName: ____, ...buyer } = party('cac:AccountingCustomerParty/cac:Party');
  return {
    specification: read(root, 'cbc:CustomizationID'),
    type: text(root, `cbc:${name}TypeCode`) as EInvoice['type'],
    number: text(root, 'cbc:ID'),
    issuedOn: text(root, 'cbc:IssueDate'),
    currency,
    notes: note === null ? [] : [note],
    orderReference: read(root, 'cac:OrderReference/cbc:SalesOrderID'),
    preceding:
      all(root, preceding).length === 0
        ? null
        : { number: text(root, `${preceding}/cbc:ID`), issuedOn: text(root, `${preceding}/cbc:IssueDate`) },
    seller: seller satisfies ESeller,
    buyer: buyer satisfies EBuyer,
    deliveredOn: read(root, 'cac:Delivery/cbc:ActualDeliveryDate'),
    deliveredTo: read(root, 'cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode'),
    paymentMeans: means?.attributes['name'] ?? null,
    paymentMeansCode: means?.text ?? null,
    paymentTerms: read(root, 'cac:PaymentTerms/cbc:Note'),
    allowances: allowances('false'),
    charges: allowances('true'),
    vatBreakdown: all(root, 'cac:TaxTotal/cac:TaxSubtotal').map(
      (tax): VatBreakdown => ({
        ...vat(tax, 'cac:TaxCategory'),
        base: amount(tax, 'cbc:TaxableAmount'),
        tax: amount(tax, 'cbc:TaxAmount'),
        reason: read(tax, 'cac:TaxCategory/cbc:TaxExemptionReason'),
        reasonCode: read(tax, 'cac:TaxCategory/cbc:TaxExemptionReasonCode'),
      }),
    ),
    totals: {
      lines: amount(root, `${sums}/cbc:LineExtensionAmount`),
      allowances: money(root, `${sums}/cbc:AllowanceTotalAmount`),
      charges: money(root, `${sums}/cbc:ChargeTotalAmount`),
      withoutVat: amount(root, `${sums}/cbc:TaxExclusiveAmount`),
      vat: amount(root, 'cac:TaxTotal/cbc:TaxAmount'),
      withVat: amount(root, `${sums}/cbc:TaxInclusiveAmount`),
      paid: money(root, `${sums}/cbc:PrepaidAmount`),
      rounding: money(root, `${sums}/cbc:PayableRoundingAmount`),
      due: amount(root, `${sums}/cbc:PayableAmount`),
    } satisfies ETotals,
    lines: items.map(
      (item): ELine => ({
        name: text(item, 'cac:Item/cbc:Name'),
        productId: read(item, 'cac:Item/cac:SellersItemIdentification/cbc:ID'),
        quantity: text(item, quantity),
        price: amount(item, 'cac:Price/cbc:PriceAmount'),
        amount: amount(item, 'cbc:LineExtensionAmount'),
        vat: vat(item, 'cac:Item/cac:ClassifiedTaxCategory'),
      }),
    ),
    lineIds: items.map((item) => text(item, 'cbc:ID')),
    units: items.map((item) => all(item, quantity)[0]?.attributes['unitCode']),
    schemes: ['Supplier', 'Customer'].flatMap((side) =>
      all(root, `cac:Accounting${side}Party/cac:Party/cbc:EndpointID`).map(({ attributes }) => attributes['schemeID']),
    ),
  };
}
