import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';

interface LeaveQuestionProps {
  isOpen: boolean;
  title: string;
  /** What is lost. */
  lead: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks whether somebody really means to leave something behind. */
export function LeaveQuestion({ isOpen, title, lead, onLeave, onStay }: LeaveQuestionProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onStay} title={title} lead={lead}>
      <Actions>
        <Button onClick={onStay}>Stay</Button>
        <Button look="danger" onClick={onLeave}>
          Leave
        </Button>
      </Actions>
    </Dialog>
  );
}
