import { defineErrors } from '../../http/errors.ts';

/** Errors of the operations on logs and analytics: 5026–5099. */
export const logErrors = defineErrors({
  logsTooBroad: {
    status: 400,
    code: 5026,
    message: 'Too many logs to search: choose a shorter period or add filters',
  },
  analyticsTooBroad: {
    status: 400,
    code: 5040,
    message:
      'Too much data to aggregate: choose a shorter period, longer intervals or a single gateway',
  },
});
