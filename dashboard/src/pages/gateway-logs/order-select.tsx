import type { LogOrder } from '../../lib/log-query.ts';
import { Select } from '../../ui/field.tsx';
import { labels } from './labels.ts';
import { ORDERS, formatOrder, parseOrder } from './log-order.ts';

interface OrderSelectProps {
  order: LogOrder;
  onOrder: (order: LogOrder) => void;
}

/** In which order logs come: all that there are, also where no column has a head. */
export function OrderSelect({ order, onOrder }: OrderSelectProps) {
  return (
    <Select
      aria-label={labels.order}
      className="min-w-0 flex-1 basis-36 sm:w-48 sm:flex-none sm:basis-auto"
      value={formatOrder(order)}
      onChange={(event) => {
        const chosen = parseOrder(event.target.value);
        if (chosen !== undefined) onOrder(chosen);
      }}
    >
      {ORDERS.flatMap(({ by, desc, asc }) => [
        <option key={`${by}.desc`} value={`${by}.desc`}>
          {desc}
        </option>,
        <option key={`${by}.asc`} value={`${by}.asc`}>
          {asc}
        </option>,
      ])}
    </Select>
  );
}
