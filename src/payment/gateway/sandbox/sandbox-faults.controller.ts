import { Body, Controller, Get, Put } from '@nestjs/common';
import type { SandboxFaults } from './sandbox-faults.js';
import { sandboxFaultsSchema } from './sandbox-faults.js';
import { SandboxSettings } from './sandbox-settings.service.js';

/** Misbehaviour on demand, for all instances at once. A PUT replaces all of it: `{}` ends it. */
@Controller('v1/sandbox/faults')
export class SandboxFaultsController {
  constructor(private readonly settings: SandboxSettings) {}

  @Get()
  async read(): Promise<SandboxFaults> {
    await this.settings.refreshed();
    return this.settings.currentFaults;
  }

  @Put()
  replace(@Body({ schema: sandboxFaultsSchema }) faults: SandboxFaults): Promise<SandboxFaults> {
    return this.settings.setFaults(faults);
  }
}
