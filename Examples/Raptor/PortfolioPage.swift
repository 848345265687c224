// SPDX-License-Identifier: Apache-2.0

import PasskeyPages

extension AddedPage {
  /// The page of the example: holdings, a form for orders, and the orders so far.
  static var portfolio: AddedPage {
    AddedPage(
      path: "/portfolio", content: PackageResources.portfolio_html, script: PackageResources.portfolio_js,
      style: PackageResources.portfolio_css,
      texts: [
        "en": PackageResources.strings_en_json, "de": PackageResources.strings_de_json,
        "fr": PackageResources.strings_fr_json, "es": PackageResources.strings_es_json,
      ], actions: PackageResources.actions_json)
  }
}
