// SPDX-License-Identifier: Apache-2.0
// The page for addresses that no page has.

import {begin} from './ui.js';

begin();
