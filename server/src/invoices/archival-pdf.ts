/**
 * A PDF that can be read in decades (PDF/A-3b: fonts inside, colours defined, nothing fetched), and that may hold the same
 * invoice for machines, as Factur-X puts it there.
 */
import { element, type Xml, type XmlContent } from '../lib/xml-element.ts';
import type { Pdf } from '../web/pdf-writer.ts';
import type { Paper } from './paper.ts';

/** For pdfkit. Without a font of its own it would name Helvetica, which is not inside. */
export const archivalOptions = { subset: 'PDF/A-3b', pdfVersion: '1.7', font: '' } as const;

/**
 * pdfkit would name the moment of the download. With that of the issue, every download has the same bytes; the identifier of the
 * file is made of all this, so the paper's own id makes it that of no other.
 */
export const infoOf = ({
  title,
  number,
  issuedAt,
  paperId,
}: Pick<Paper, 'title' | 'number' | 'issuedAt' | 'paperId'>) => ({
  Title: `${title} ${number}`,
  Keywords: paperId,
  CreationDate: issuedAt,
});

/** The name by which readers find it. */
const fileName = 'factur-x.xml';

/** What metadata is about: this file. */
const description = (namespaces: Readonly<Record<string, string>>, content: XmlContent): string =>
  element('rdf:Description', content, { 'rdf:about': '', ...namespaces })?.markup ?? '';

/** The author is not given to pdfkit, which writes names into the metadata as they are: an ampersand would break them. */
export function nameAuthor(pdf: Pdf, author: string): void {
  const creator = element('dc:creator', element('rdf:Seq', element('rdf:li', author)));
  pdf.appendXML(description({ 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' }, creator));
}

/** `Alternative`: it says the same as the pages, in another form. */
export function attachEInvoice(pdf: Pdf, xml: string, issuedAt: Date): void {
  // The types of pdfkit do not know the relationship.
  const options = {
    name: fileName,
    type: 'text/xml',
    description: 'Factur-X',
    creationDate: issuedAt,
    modifiedDate: issuedAt,
    relationship: 'Alternative',
  };
  pdf.file(Buffer.from(xml), options);
  pdf.appendXML(facturXMetadata);
}

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** A credit note is an INVOICE here, too. */
const properties = [
  { name: 'DocumentFileName', value: fileName, about: 'The name of the embedded XML document' },
  { name: 'DocumentType', value: 'INVOICE', about: 'The type of the hybrid document in capital letters' },
  { name: 'Version', value: '1.0', about: 'The version of the standard that applies to the embedded XML document' },
  { name: 'ConformanceLevel', value: 'EN 16931', about: 'The conformance level of the embedded XML document' },
];

const resource = (content: XmlContent): Xml | null => element('rdf:li', content, { 'rdf:parseType': 'Resource' });

/** What is no part of PDF/A must be described where it is used. */
const extensionSchema = element('pdfaExtension:schemas', [
  element('rdf:Bag', [
    resource([
      element('pdfaSchema:schema', 'Factur-X PDFA Extension Schema'),
      element('pdfaSchema:namespaceURI', namespace),
      element('pdfaSchema:prefix', 'fx'),
      element('pdfaSchema:property', [
        element(
          'rdf:Seq',
          properties.map(({ name, about }) =>
            resource([
              element('pdfaProperty:name', name),
              element('pdfaProperty:valueType', 'Text'),
              element('pdfaProperty:category', 'external'),
              element('pdfaProperty:description', about),
            ]),
          ),
        ),
      ]),
    ]),
  ]),
]);

const aiim = 'http://www.aiim.org/pdfa/ns';

const facturXMetadata = [
  description(
    { 'xmlns:fx': namespace },
    properties.map(({ name, value }) => element(`fx:${name}`, value)),
  ),
  description(
    {
      'xmlns:pdfaExtension': `${aiim}/extension/`,
      'xmlns:pdfaSchema': `${aiim}/schema#`,
      'xmlns:pdfaProperty': `${aiim}/property#`,
    },
    extensionSchema,
  ),
].join('\n');
