import { Badge } from './Badge.tsx'
import { Button } from './Button.tsx'
import { Code } from './Code.tsx'
import { EmptyState } from './EmptyState.tsx'
import type { Kit } from './kit.ts'
import { Select } from './Select.tsx'
import { Slider } from './Slider.tsx'
import { Switch } from './Switch.tsx'
import { Tabs } from './Tabs.tsx'
import { TextField } from './TextField.tsx'

/** The panel's own parts. */
export const defaultKit: Kit = { Button, Badge, Tabs, Switch, Select, Slider, TextField, EmptyState, Code }
