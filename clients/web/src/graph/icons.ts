import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowsSplit2,
  IconBan,
  IconBolt,
  IconBrackets,
  IconCheck,
  IconClock,
  IconExternalLink,
  IconFileText,
  IconFlag,
  IconGitMerge,
  IconHourglass,
  IconMinus,
  IconPlayerPlay,
  IconPlayerStop,
  IconPuzzle,
  IconRepeat,
  IconRoute,
  IconSitemap,
  IconSpeakerphone,
  IconSwitch3,
  IconUser,
  IconWorld,
} from '@tabler/icons-react'
import type { NodeState } from './states'

type Icon = typeof IconUser

const byActivity: Record<string, Icon> = {
  Start: IconPlayerPlay,
  End: IconFlag,
  Terminate: IconPlayerStop,
  UserTask: IconUser,
  Decision: IconRoute,
  Parallel: IconArrowsSplit2,
  Join: IconGitMerge,
  SetVariable: IconBrackets,
  Delay: IconClock,
  PublishEvent: IconSpeakerphone,
  WaitSignal: IconBolt,
  EventGateway: IconSwitch3,
  Http: IconWorld,
  ExternalTask: IconExternalLink,
  Log: IconFileText,
  Fault: IconAlertTriangle,
  SubWorkflow: IconSitemap,
  ForEach: IconRepeat,
  Compensate: IconArrowBackUp,
}

/** The picture for a kind of node; a puzzle piece for the kinds of an application. */
export function activityIcon(type: string): Icon {
  return byActivity[type] ?? IconPuzzle
}

/** The mark of each state, so that colour is never alone. */
export const stateIcon: Record<NodeState, Icon | null> = {
  plain: null,
  done: IconCheck,
  running: IconBolt,
  waiting: IconHourglass,
  faulted: IconAlertTriangle,
  canceled: IconBan,
  ahead: null,
  notTaken: IconMinus,
}
