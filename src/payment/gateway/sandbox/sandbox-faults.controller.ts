import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../../platform/http/openapi/decorators.js';
import type { SandboxFaults } from './sandbox-faults.js';
import { sandboxFaultsSchema } from './sandbox-faults.js';
import { SandboxSettings } from './sandbox-settings.service.js';

/** Misbehaviour on demand, for all instances at once. A PUT replaces all of it: `{}` ends it. */
@ApiTags('sandbox')
@Access('admin')
@Controller('v1/sandbox/faults')
export class SandboxFaultsController {
  constructor(private readonly settings: SandboxSettings) {}

  @Get()
  @ApiOperation({
    operationId: 'getSandboxFaults',
    summary: 'What the sandbox does wrong on demand',
    description: 'Faults hold for all instances, which notice a change within a second.',
  })
  @ApiAnswer(200, 'The faults', sandboxFaultsSchema)
  async read(): Promise<SandboxFaults> {
    await this.settings.refreshed();
    return this.settings.currentFaults;
  }

  @Put()
  @ApiOperation({
    operationId: 'putSandboxFaults',
    summary: 'Replace all faults; `{}` ends them',
    description:
      'A fault that is not named is off. For tests of a shop: latency, errors, lost answers, duplicate or early callbacks.',
  })
  @ApiAnswer(200, 'The faults', sandboxFaultsSchema)
  replace(@Body({ schema: sandboxFaultsSchema }) faults: SandboxFaults): Promise<SandboxFaults> {
    return this.settings.setFaults(faults);
  }
}
