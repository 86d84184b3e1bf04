import { Link } from '@tanstack/react-router';
import icon from '../icon.svg';
import { brandName } from '../lib/site.ts';

/** The name of this installation; leads to the start. */
export function Logo() {
  return (
    <Link to="/" className="flex items-center gap-2.5 rounded-lg px-2 py-1.5 font-semibold">
      <img src={icon} alt="" width="26" height="26" />
      <span className="truncate">{brandName}</span>
    </Link>
  );
}
