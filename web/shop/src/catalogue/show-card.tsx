import { Link } from 'wouter';
import type { Show } from '../content/shows.js';

export function ShowCard({ show }: { show: Show }) {
  return (
    <Link href={`/shows/${encodeURIComponent(show.group)}`} className="hero-card">
      <img src={show.picture} alt="" />
      <span className="hero-card-text">
        <span className="chip">{show.when}</span>
        <strong>{show.title}</strong>
        <span>{show.hall}, choose your seat</span>
      </span>
    </Link>
  );
}
