import type { ReactNode } from 'react';
import { TOKEN_VARIABLE } from '../../../lib/shell-command.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { labels } from './labels.ts';
import type { Snippet } from './rest-snippets.ts';

interface SnippetTabsProps {
  /** Of the client. */
  name: string;
  snippets: readonly Snippet[];
  sendsToken: boolean;
  /** What is to be known about it. */
  children: ReactNode;
}

/** The same in several languages. */
export function SnippetTabs({ name, snippets, sendsToken, children }: SnippetTabsProps) {
  const [only, ...others] = snippets;
  return (
    <div className="space-y-3">
      {only !== undefined && others.length === 0 ? (
        <SnippetShown snippet={only} />
      ) : (
        <Tabs
          label={labels.languagesFor(name)}
          tabs={snippets.map((snippet) => ({
            title: snippet.title,
            content: <SnippetShown snippet={snippet} />,
          }))}
        />
      )}
      <p className="text-sm text-muted">
        {children}{' '}
        {sendsToken && (
          <>
            The environment variable <code className="font-mono">{TOKEN_VARIABLE}</code> holds an
            API token with AI Gateway Run for this gateway.
          </>
        )}
      </p>
    </div>
  );
}

function SnippetShown({ snippet: { title, install, code } }: { snippet: Snippet }) {
  return (
    <div className="space-y-2">
      {install !== undefined && (
        <p className="text-sm text-muted">
          First: <code className="font-mono text-text">{install}</code>
        </p>
      )}
      <CodeBlock text={code} label={labels.example(title)} />
    </div>
  );
}
