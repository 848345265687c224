// SPDX-License-Identifier: Apache-2.0
// What a passkey is. The page needs no session.

import {begin} from './ui.js';

begin();
