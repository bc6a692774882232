import { Type } from 'typebox';
import { DateText, mayGrow, Nullable, OneOf } from '../../platform/http/schema.ts';
import { changeKinds } from '../domain/changelog.ts';

export const ChangelogBody = Type.Object(
  {
    date: DateText('The day on which the entry was published.'),
    title: Type.String({ description: 'The title of the entry.' }),
    changes: Type.Array(
      Type.Object({
        kind: OneOf(changeKinds, {
          description: `The kind of change. ${mayGrow}`,
        }),
        text: Type.String({ description: 'What changed, for people.' }),
        sunset: Nullable(DateText('The day on which the deprecated feature stops working.')),
      }),
      { description: 'The changes of the entry.' },
    ),
    url: Type.String({
      description: 'The page of this entry.',
      examples: ['https://api.example.com/docs/guides/changelog#2026-11-16'],
    }),
  },
  { title: 'ChangelogEntry', additionalProperties: false },
);
