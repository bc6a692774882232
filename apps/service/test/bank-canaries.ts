/** Bank details and TINs that occur nowhere else, so that a search finds every place where one is stored in the clear. */

import { randomInt } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';

const random = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** An IBAN of Malta, the country with the longest ones: its check digits make the remainder 1. */
function maltaIban(): string {
  const account = `${random(4, letters)}${random(5, digits)}${random(18, letters + digits)}`;
  const number = Array.from(`${account}MT00`, (each) => Number.parseInt(each, 36)).join('');
  return `MT${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${account}`;
}

/** With the digit at the end that makes the weighted sum a multiple of ten. */
function routingNumber(): string {
  const body = `1${random(7, digits)}`;
  const sum = Array.from(body).reduce(
    (total, each, i) => total + Number(each) * ([3, 7, 1][i % 3] ?? 0),
    0,
  );
  return `${body}${(10 - (sum % 10)) % 10}`;
}

export function canaryAccounts() {
  const secrets = {
    iban: maltaIban(),
    usAccount: random(17, digits),
    swiftAccount: random(30, letters + digits),
    holder: `Holder ${random(24, letters)}`,
    wallet: `${random(24, letters)}@purse.example`,
    wrongIban: `${maltaIban()}X`,
    ibanOfOtherCountry: maltaIban(),
    ibanInBadJson: maltaIban(),
    ibanOfUnknownField: maltaIban(),
    accountWithoutRouting: random(17, digits),
    accountAsList: random(17, digits),
    accountUnderOtherName: random(17, digits),
    accountAfterObject: random(17, digits),
    accountInXml: random(17, digits),
    walletWithBankFields: `${random(24, letters)}@purse.example`,
  };
  const bank = { type: 'bank_account', account_holder: secrets.holder };
  const malta = { ...bank, country: 'MT', currency: 'EUR' };
  const us = { ...bank, country: 'US', currency: 'USD' };
  const wallet = { type: 'wallet', country: 'DE', currency: 'EUR', provider: 'Purse' };
  const swift = { ...bank, country: 'JP', currency: 'JPY', bic: 'BOTKJPJT' };
  const accepted = [
    { ...malta, iban: secrets.iban },
    { ...us, account_number: secrets.usAccount, routing_number: routingNumber() },
    { ...swift, account_number: secrets.swiftAccount },
    { ...wallet, account: secrets.wallet },
  ];
  const refused = [
    { ...malta, iban: secrets.wrongIban },
    { ...malta, country: 'DE', iban: secrets.ibanOfOtherCountry },
    `{"type":"bank_account","iban":"${secrets.ibanInBadJson}"`,
    { ...malta, iban: secrets.ibanOfUnknownField, surprise: true },
    { ...us, account_number: secrets.accountWithoutRouting },
    { ...us, account_number: [secrets.accountAsList] },
    { ...us, numberOfAccount: secrets.accountUnderOtherName },
    { ...us, account_number: { a: { b: '1' }, c: secrets.accountAfterObject } },
    `<account>${secrets.accountInXml}</account>`,
    { ...wallet, account: secrets.walletWithBankFields, iban: secrets.iban },
  ];
  return { accepted, refused, secrets };
}

export function canaryTins() {
  const secrets = {
    tin: random(24, letters + digits),
    replacedTin: random(24, letters + digits),
    tinOfW9: random(24, letters + digits),
    tinSignedTooLate: random(24, letters + digits),
  };
  const w8 = { residence: 'DE', form: 'w8ben', signed_on: '2026-01-05' };
  return {
    secrets,
    accepted: [
      { ...w8, tin: secrets.replacedTin },
      { ...w8, tin: secrets.tin },
    ],
    refused: [
      { residence: 'US', form: 'w9', signed_on: '2026-01-05', tin: secrets.tinOfW9 },
      { ...w8, signed_on: '2126-01-05', tin: secrets.tinSignedTooLate },
    ],
  };
}
