import { ODD_CARDS, TEST_CARDS, type TestCard } from './test-cards.js';

interface CardChoiceProps {
  readonly method: string;
  readonly onChange: (method: string) => void;
}

export function CardChoice({ method, onChange }: CardChoiceProps) {
  const cards = (from: readonly TestCard[]) =>
    from.map((card) => (
      <label key={card.method} className="test-card">
        <input
          type="radio"
          name="card"
          value={card.method}
          checked={card.method === method}
          onChange={() => onChange(card.method)}
        />
        <span className="test-card-name">{card.name}</span>
        <span className="test-card-number number">{card.number}</span>
        <span className="quiet">{card.effect}</span>
      </label>
    ));
  return (
    <fieldset className="cards">
      <legend className="panel-title">Pay with a test card</legend>
      <div className="card-grid">{cards(TEST_CARDS)}</div>
      <details open={ODD_CARDS.some((card) => card.method === method)}>
        <summary>Cards that make trouble</summary>
        <div className="card-grid">{cards(ODD_CARDS)}</div>
      </details>
    </fieldset>
  );
}
