import { useState } from 'react'
import rack from '#/styles/rack.svg'
import { BrandMark } from '#/ui/layout/BrandMark.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { SplitLayout } from '#/ui/frame/SplitLayout.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Identicon } from '#/ui/value/Identicon.tsx'

export function SignInSpecimen() {
  const [name, setName] = useState('hanna.okafor')
  return (
    <SplitLayout picture={rack} alt="A populated rack" footer={<BrandMark withName />}>
      <Identicon name="engineering" size={40} />
      <h1 className="mt-5 text-xl font-semibold tracking-[-0.012em]">Sign in</h1>
      <p className="mb-5 text-secondary">
        to the <Highlight>engineering</Highlight> silo
      </p>
      <form className="space-y-3.5">
        <TextField label="Username" required value={name} onChange={setName} autoComplete="username" />
        <TextField
          label="Password"
          required
          type="password"
          value="password"
          onChange={setName}
          autoComplete="current-password"
        />
        <Button variant="primary" className="w-full">
          Sign in
        </Button>
      </form>
    </SplitLayout>
  )
}
