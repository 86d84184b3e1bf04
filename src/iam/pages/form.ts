import { type Html, html } from './html.ts';

/** One line of a form. */
export interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  /** For password managers and keyboards, see the HTML standard, section 4.10.18.7. */
  autocomplete: string;
  /** A line below it, such as what is allowed. */
  hint?: string;
  value?: string;
  inputMode?: 'numeric';
  minLength?: number;
  /** The one in which typing begins. */
  isFirst?: boolean;
  isOptional?: boolean;
}

export interface Form {
  action: string;
  fields?: readonly Field[];
  hidden: Readonly<Record<string, string>>;
  /** Whose password is chosen, for password managers. */
  username?: string;
  submit: string;
  /** Whether the page shows an error, which the fields then refer to. */
  hasError?: boolean;
  isQuiet?: boolean;
}

/** A form that works without scripts. */
export function renderForm(form: Form): Html {
  const { action, fields = [], hidden, username, submit, hasError, isQuiet } = form;
  return html`<form method="post" action="${action}">
    ${Object.entries(hidden).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `,
    )}${
      username !== undefined &&
      html`<input type="email" autocomplete="username" value="${username}" readonly hidden /> `
    }${fields.map((field) => renderField(field, hasError === true))}<button
      type="submit"
      ${isQuiet === true && html` class="quiet"`}
    >
      ${submit}
    </button>
  </form>`;
}

function renderField(field: Field, hasError: boolean): Html {
  const { name, label, type, autocomplete, hint, value, inputMode, minLength } = field;
  const described = [hint === undefined ? '' : `${name}-hint`, hasError ? 'error' : '']
    .filter(Boolean)
    .join(' ');
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      ${
        value !== undefined && html` value="${value}"`
      }${inputMode !== undefined && html` inputmode="${inputMode}"`}${
        minLength !== undefined && html` minlength="${minLength}"`
      }${described !== '' && html` aria-describedby="${described}"`}${
        field.isFirst === true && html` autofocus`
      }${field.isOptional !== true && html` required`}${
        type !== 'password' && html` autocapitalize="off" spellcheck="false"`
      }
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p> `}
  </div> `;
}
