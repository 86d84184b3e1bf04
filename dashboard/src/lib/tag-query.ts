/** Which tagged resources are wanted, in the names of the API: all that is told must hold. */
export interface TagQuery {
  tag?: readonly string[];
  type?: readonly string[];
  id?: readonly string[];
  name?: string;
  case_insensitive?: true;
}

/** A parameter of a request. */
export type Parameter = [name: string, value: string];

/** The parameters of a query, each by itself, as an address has them. */
export function tagParameters(query: TagQuery): Parameter[] {
  const { tag = [], type = [], id = [], name, case_insensitive: caseInsensitive } = query;
  return [
    ...tag.map((text): Parameter => ['tag', text]),
    ...type.map((text): Parameter => ['type', text]),
    ...id.map((text): Parameter => ['id', text]),
    ...(name === undefined ? [] : [['name', name] as Parameter]),
    ...(caseInsensitive === true ? [['case_insensitive', 'true'] as Parameter] : []),
  ];
}
