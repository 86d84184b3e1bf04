import { useReducer } from 'react';
import type { TaggedResource } from '../../../api/resource-tags.ts';
import { type TagChange, changesBetween } from './tag-changes.ts';
import {
  type DraftRow,
  type Meanwhile,
  type RowFaults,
  draftOf,
  faultsOf,
  isLongValue,
  isTouched,
  newRow,
  rebase,
  wantedTags,
  withTag,
} from './tag-draft.ts';

interface EditorState {
  /** What the draft is a change of. */
  base: TaggedResource;
  rows: readonly DraftRow[];
  name: string;
  /** What others have changed since the draft was begun; undefined: nothing. */
  meanwhile: Meanwhile | undefined;
}

type EditorAction =
  | { do: 'write'; id: number; part: 'key' | 'value'; text: string }
  | { do: 'add' }
  | { do: 'toggle'; id: number }
  | { do: 'set'; key: string; value: string | undefined }
  | { do: 'name'; text: string }
  | { do: 'rebase'; theirs: TaggedResource };

function begin(resource: TaggedResource): EditorState {
  const rows = draftOf(resource.tags);
  return {
    base: resource,
    // Where there is none, the first is about to be written.
    rows: rows.length === 0 ? [newRow()] : rows,
    name: resource.name,
    meanwhile: undefined,
  };
}

function reduce(state: EditorState, action: EditorAction): EditorState {
  switch (action.do) {
    case 'write':
      return { ...state, rows: state.rows.map((row) => written(row, action)) };
    case 'add':
      return { ...state, rows: [...state.rows, newRow()] };
    case 'toggle':
      return { ...state, rows: toggled(state.rows, action.id) };
    case 'set':
      return { ...state, rows: withTag(state.rows, action.key, action.value) };
    case 'name':
      return { ...state, name: action.text };
    case 'rebase':
      return onto(state, action.theirs);
  }
}

function written(row: DraftRow, action: EditorAction & { do: 'write' }): DraftRow {
  if (row.id !== action.id) return row;
  // A field that becomes another one while it is written in would lose the focus.
  const isLong = row.isLong || (action.part === 'value' && /[\n\r]/.test(action.text));
  return { ...row, [action.part]: action.text, isLong };
}

/** A new row goes at once; what is stored can be had back until it is saved. */
function toggled(rows: readonly DraftRow[], id: number): DraftRow[] {
  return rows.flatMap((row) => {
    if (row.id !== id) return [row];
    if (row.stored === undefined) return [];
    const { key, value } = row.isRemoved ? row.stored : row;
    return [{ ...row, key, value, isRemoved: !row.isRemoved, isLong: isLongValue(value) }];
  });
}

function onto(state: EditorState, theirs: TaggedResource): EditorState {
  const { rows, meanwhile } = rebase(state.rows, state.base.tags, theirs.tags);
  const isDirty = state.rows.some(isTouched);
  const hasNews = meanwhile.taken.length > 0 || meanwhile.clashes.length > 0;
  return {
    base: theirs,
    rows,
    name: state.name === state.base.name ? theirs.name : state.name,
    meanwhile: isDirty && hasNews ? joined(state.meanwhile, meanwhile) : state.meanwhile,
  };
}

/** What happened in two goes; of a tag that changed in both, the later counts. */
function joined(earlier: Meanwhile | undefined, later: Meanwhile): Meanwhile {
  const renewed = new Set([...later.taken, ...later.clashes].map(({ key }) => key));
  const isOld = ({ key }: TagChange): boolean => !renewed.has(key);
  return {
    taken: [...(earlier?.taken.filter(isOld) ?? []), ...later.taken],
    clashes: [...(earlier?.clashes.filter(isOld) ?? []), ...later.clashes],
  };
}

/** Tags of a resource as they are being written. */
export interface TagEditorState extends EditorState {
  dispatch: (action: EditorAction) => void;
  faults: ReadonlyMap<number, RowFaults>;
  /** What saving would change. */
  changes: readonly TagChange[];
  /** The new name, if it is another one. */
  newName: string | undefined;
  /** Whether anything was written, be it right or wrong. */
  isDirty: boolean;
}

/** Keeps what is written of tags, also when others change them meanwhile. */
export function useTagEditor(resource: TaggedResource): TagEditorState {
  const [state, dispatch] = useReducer(reduce, resource, begin);
  const { base, rows, name } = state;
  const newName = name.trim() === '' || name === base.name ? undefined : name;
  return {
    ...state,
    dispatch,
    faults: faultsOf(rows),
    changes: changesBetween(base.tags, wantedTags(rows)),
    newName,
    isDirty: newName !== undefined || rows.some(isTouched),
  };
}
