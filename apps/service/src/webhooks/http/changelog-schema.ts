import { Type } from 'typebox';
import { DateText, Nullable, OneOf } from '../../platform/http/schema.ts';
import { changeKinds } from '../domain/changelog.ts';

export const ChangelogBody = Type.Object(
  {
    date: DateText('When it was published.'),
    title: Type.String(),
    changes: Type.Array(
      Type.Object({
        kind: OneOf(changeKinds),
        text: Type.String(),
        sunset: Nullable(DateText('When the deprecated feature stops working.')),
      }),
    ),
    url: Type.String(),
  },
  { title: 'ChangelogEntry', additionalProperties: false },
);
