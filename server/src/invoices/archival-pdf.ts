/**
 * A PDF that can be read in decades (PDF/A-3b: fonts inside, colours defined, nothing fetched), and that may hold the same
 * invoice for machines, as Factur-X puts it there.
 */
import { escaped } from '../papers/xml-element.ts';
import type { Pdf } from '../web/pdf-writer.ts';

/** For pdfkit. Without a font of its own it would name Helvetica, which is not inside. */
export const archivalOptions = { subset: 'PDF/A-3b', pdfVersion: '1.7', font: '' } as const;

/** The name by which readers find it. */
const fileName = 'factur-x.xml';

/** The author is not given to pdfkit, which writes names into the metadata as they are: an ampersand would break them. */
export function nameAuthor(pdf: Pdf, author: string): void {
  pdf.appendXML(
    `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>
</rdf:Description>`,
  );
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

const properties = [
  ['DocumentFileName', 'The name of the embedded XML document'],
  ['DocumentType', 'The type of the hybrid document in capital letters'],
  ['Version', 'The version of the standard that applies to the embedded XML document'],
  ['ConformanceLevel', 'The conformance level of the embedded XML document'],
] as const;

const values = { DocumentFileName: fileName, DocumentType: 'INVOICE', Version: '1.0', ConformanceLevel: 'EN 16931' };

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** What is no part of PDF/A must be described before it is used. A credit note is an INVOICE here, too. */
const facturXMetadata = `<rdf:Description rdf:about="" xmlns:fx="${namespace}">
${properties.map(([name]) => `<fx:${name}>${values[name]}</fx:${name}>`).join('\n')}
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${properties
  .map(
    ([name, description]) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`,
  )
  .join('\n')}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;
