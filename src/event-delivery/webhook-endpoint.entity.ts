import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhook_endpoints')
export class WebhookEndpoint {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('text')
  url!: string;
  @Column('text', { array: true })
  events!: string[];
  @Column('text', { default: '' })
  description!: string;
  @Column('bytea', { select: false })
  secret!: Buffer;
  @Column('bytea', { name: 'previous_secrets', array: true, default: () => `'{}'`, select: false })
  previousSecrets!: Buffer[];
  @Column('timestamptz', { name: 'previous_secrets_until', array: true, default: () => `'{}'` })
  previousSecretsUntil!: Date[];
  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: string | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
