/**
 * A second opinion on messages: Xerces-C (Debian's libxerces-c-samples), which unlike libxml2 also checks that every
 * IDREF has its ID. Xerces compiles the schema anew for each file, in 0.2 s of CPU, so many messages are put into one
 * document whose schema takes any message; their references get the number of the message, to stay unique.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const batchNamespace = 'urn:tonearm:test:batch';

type Schema = { readonly namespace: string; readonly file: string };

/** What Xerces writes about errors: empty if all messages are valid. Throws if it did not read them. */
export async function findXercesErrors(
  messages: readonly string[],
  { namespace, file }: Schema,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'xerces-'));
  try {
    await writeFile(join(folder, 'batch.xsd'), batchSchema(namespace, resolve(file)));
    const document = join(folder, 'batch.xml');
    await writeFile(document, batchOf(messages));
    const { stdout, stderr } = await promisify(execFile)(
      'SAX2Count',
      ['-v=always', '-f', document],
      { maxBuffer: 64 * 1024 * 1024 },
    ).catch((error: unknown) => error as { stdout: string; stderr: string });
    if (stderr === '' && !/\(\d+ elems/.test(stdout)) throw new Error(`No answer: ${stdout}`);
    return stderr;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const batchSchema = (namespace: string, file: string): string =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${batchNamespace}">
    <xs:import namespace="${namespace}" schemaLocation="${file}"/>
    <xs:element name="batch"><xs:complexType><xs:sequence>
      <xs:any namespace="${namespace}" processContents="strict" maxOccurs="unbounded"/>
    </xs:sequence></xs:complexType></xs:element>
  </xs:schema>`;

const batchOf = (messages: readonly string[]): string =>
  `<b:batch xmlns:b="${batchNamespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${batchNamespace} batch.xsd">
${messages.map(numberReferences).join('\n')}
</b:batch>`;

const numberReferences = (message: string, index: number): string =>
  message
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace(/ xsi:schemaLocation="[^"]*"/, '')
    .replaceAll(/<(\w*Reference)( [^>]*)?>([^<]+)</g, `<$1$2>$3-${index}<`);
